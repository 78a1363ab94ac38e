import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Place } from "../places/place.ts";
import { listingsMax, type Source, SourceFailure, type SourceQuery } from "./source.ts";

/** A source with a query it can answer, and one it proves to have nothing for. */
export type Candidate = {
  source: Source;
  /** Finds at least one business. */
  found: string;
  /** Finds none, for a reason the source can prove. */
  nothing: string;
  /** Makes the source fail, where it can: what the world outside does to it. */
  outage?: { begin(): void; q: string };
};

const pagesMax = 10;
// Text that has broken parsers, query languages and layouts. Each is an answer or an empty page.
const awkward = [
  "in",
  "the in of",
  "🍕🍕",
  "مقهى في دبي",
  "東京のカフェ",
  "'; drop table places; --",
  '["name"~".*"](area);out;',
  "(((((",
  "\\",
  "%_%",
  "\u0000\u0001",
  "\u202egpj.unem",
  "x".repeat(200),
];
const corners = ["@90,0,1z", "@-90,180,21z", "@0,-180,3z", "@16.5,179.99,10z"];

/** What every source promises, shown on one of them. */
export function sourceConformance(name: string, make: (t: TestContext) => Promise<Candidate> | Candidate): void {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(JSON.stringify(Place)));

  test(`${name}: every listing keeps to the published schema, with and without extras`, async (t) => {
    const { source, found } = await make(t);

    for (const extra of [false, true]) {
      const { listings } = await source.search(queryFor({ q: found, extra }), running());
      assert.ok(listings.length > 0);
      for (const place of listings) {
        assert.ok(isValid(place), `${place.placeId} ${ajv.errorsText(isValid.errors)}`);
        assert.ok(place.placeId ?? place.dataId ?? place.cid, "a business without an id cannot be identified");
      }
    }
  });

  test(`${name}: each field that is null or empty has a state, and no other field has one`, async (t) => {
    const { source, found } = await make(t);

    for (const extra of [false, true]) {
      const { listings } = await source.search(queryFor({ q: found, extra }), running());

      for (const { fieldStates, ...place } of listings) {
        assert.deepEqual(Object.keys(fieldStates).toSorted(), emptyFields(place).toSorted(), `${place.placeId}`);
      }
    }
  });

  test(`${name}: reviews and photos are not_requested without extra, and never so with it`, async (t) => {
    const { source, found } = await make(t);

    const plain = (await source.search(queryFor({ q: found }), running())).listings;
    const extra = (await source.search(queryFor({ q: found, extra: true }), running())).listings;

    for (const { reviewsState, photosState, fieldStates } of plain) {
      const states = new Map(Object.entries(fieldStates));
      assert.deepEqual([reviewsState, photosState], ["not_requested", "not_requested"]);
      assert.deepEqual([states.get("reviews"), states.get("photos")], ["not_requested", "not_requested"]);
      assert.deepEqual([states.get("contacts"), states.get("contactsCheckedAt")], ["not_requested", "not_requested"]);
    }
    for (const { reviewsState, reviews, photosState, photos, fieldStates } of extra) {
      const states = new Map(Object.entries(fieldStates));
      assert.equal(reviewsState === "unavailable", reviews.length === 0);
      assert.equal(photosState === "unavailable", photos.length === 0);
      assert.ok(states.get("reviews") !== "not_requested" && states.get("photos") !== "not_requested");
    }
  });

  test(`${name}: what it says never to fill is empty, and says so`, async (t) => {
    const { source, found } = await make(t);

    const { listings } = await source.search(queryFor({ q: found, extra: true }), running());

    for (const { fieldStates, ...place } of listings) {
      const states = new Map(Object.entries(fieldStates));
      const empty = new Set(emptyFields(place));
      for (const field of source.neverFills ?? []) {
        if (field.includes(".") && !empty.has(field)) continue; // an object that is not there has no parts
        assert.equal(states.get(field), "not_supported", `${field} of ${place.placeId}`);
      }
    }
  });

  test(`${name}: a page holds at most ${listingsMax} listings and its verdict agrees with them`, async (t) => {
    const { source, found, nothing } = await make(t);

    for (const q of [found, nothing]) {
      for (let page = 1; page <= pagesMax; page += 1) {
        const { listings, verdict } = await source.search(queryFor({ q, page }), running());
        assert.ok(listings.length <= listingsMax);
        // A source that did not look everywhere has not proved that there is nothing.
        if (verdict !== "trimmed") assert.equal(verdict === "empty", listings.length === 0, `page ${page} of ${q}`);
      }
    }
  });

  test(`${name}: the pages of a query follow on without a gap and tell no business twice`, async (t) => {
    const { source, found } = await make(t);

    const pages = await readPages(source, found);

    const ids = pages.flat().map(({ placeId, dataId, cid }) => placeId ?? dataId ?? cid);
    const lastFilled = pages.findLastIndex((page) => page.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(pages.slice(0, lastFilled).every((page) => page.length === listingsMax));
  });

  test(`${name}: the same question gets the same answer`, async (t) => {
    const { source, found } = await make(t);

    const first = await readPages(source, found);
    const second = await readPages(source, found);

    const names = (pages: typeof first) => pages.map((page) => page.map((place) => place.name));
    assert.deepEqual(names(second), names(first));
  });

  test(`${name}: finds nothing where there is nothing, and says so`, async (t) => {
    const { source, nothing } = await make(t);

    const { listings, verdict } = await source.search(queryFor({ q: nothing }), running());

    assert.deepEqual({ listings, verdict }, { listings: [], verdict: "empty" });
  });

  test(`${name}: whatever is asked, the answer is a page or a source failure`, async (t) => {
    const { source, found } = await make(t);

    const queries = [
      ...awkward.map((q) => queryFor({ q })),
      ...corners.map((ll) => queryFor({ q: found, ll })),
      ...["de-CH", "zz", "zh-Hant-TW"].map((hl) => queryFor({ q: found, hl })),
      ...["zz", "LI"].map((gl) => queryFor({ q: found, gl })),
    ];
    for (const query of queries) {
      const outcome = await source.search(query, running()).catch((error: unknown) => error);
      const isPage = typeof outcome === "object" && outcome !== null && "listings" in outcome;
      assert.ok(isPage || outcome instanceof SourceFailure, `${JSON.stringify(query)}: ${String(outcome)}`);
    }
  });

  test(`${name}: a search that is already canceled ends with the caller's own reason`, async (t) => {
    const { source, found } = await make(t);
    const canceled = AbortSignal.abort(new Error("The caller left."));

    await assert.rejects(source.search(queryFor({ q: found }), canceled), { message: "The caller left." });
  });

  test(`${name}: when the world outside fails it says what to do, and never that there is nothing`, async (t) => {
    const { source, outage } = await make(t);
    if (!outage) return t.skip("this source has no world outside");
    outage.begin();

    await assert.rejects(source.search(queryFor({ q: outage.q }), running()), (error: unknown) => {
      assert.ok(error instanceof SourceFailure, String(error));
      assert.ok(["slow_down", "try_again", "give_up"].includes(error.action));
      return true;
    });
  });
}

function queryFor(fields: Partial<SourceQuery> & { q: string }): SourceQuery {
  return { page: 1, hl: "en", extra: false, ...fields };
}

async function readPages(source: Source, q: string) {
  const pages = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    pages.push((await source.search(queryFor({ q, page }), running())).listings);
  }
  return pages;
}

/** Null and empty fields, those of objects as `address.region`. */
function emptyFields(place: object, prefix = ""): string[] {
  return Object.entries(place).flatMap(([field, value]) => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [prefix + field];
    const isParted = prefix === "" && ["address", "owner", "openingHours"].includes(field);
    return isParted ? emptyFields(value as object, `${field}.`) : [];
  });
}

function running(): AbortSignal {
  return new AbortController().signal;
}
