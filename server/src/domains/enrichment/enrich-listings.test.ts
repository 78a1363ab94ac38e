import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { aPlace } from "../../../test/place.ts";
import { scriptedSource } from "../../../test/scripted-source.ts";
import { enrichListings } from "./enrich-listings.ts";
import type { EnrichmentResult } from "./enrichment.ts";

const seenAt = "2026-01-01T00:00:00.000Z";
const running = () => new AbortController().signal;

function found(...emails: string[]): EnrichmentResult {
  const contacts = emails.map((value) => ({ type: "email" as const, value, sourceUrl: "https://a.example/", seenAt }));
  return { state: "done", contacts, checkedAt: seenAt };
}

test("what a website gives joins what the source has, each address once", async () => {
  const place = aPlace({
    website: "https://a.example/",
    emails: ["Listed@a.example"],
    fieldStates: { rating: "absent" },
  });
  const enrichment = { enrich: async () => found("listed@a.example", "found@a.example") };

  const [enriched] = await enrichListings(enrichment, [place], running());

  assert.deepEqual(enriched?.emails, ["Listed@a.example", "found@a.example"]);
  assert.equal(enriched?.enrichmentState, "done");
  assert.equal(enriched?.contactsCheckedAt, seenAt);
  assert.deepEqual(enriched?.fieldStates, { rating: "absent", socialProfiles: "absent" });
});

test("a business without a website says so, and nobody is asked", async () => {
  const enrichment = { enrich: () => Promise.reject(new Error("not to be asked")) };

  const [enriched] = await enrichListings(enrichment, [aPlace({ website: null })], running());

  assert.equal(enriched?.enrichmentState, "no_website");
});

test("a website that several listings share is looked at once", async () => {
  let looks = 0;
  const enrichment = {
    async enrich() {
      looks += 1;
      return found("chain@a.example");
    },
  };
  const places = [aPlace({ website: "https://a.example/" }), aPlace({ website: "https://a.example/" })];

  const enriched = await enrichListings(enrichment, places, running());

  assert.equal(looks, 1);
  assert.deepEqual(
    enriched.map(({ emails }) => emails),
    [["chain@a.example"], ["chain@a.example"]],
  );
});

test("a website that is not done at the deadline is told as timed out, and the others are not lost", async () => {
  const enrichment = {
    enrich: (website: string) =>
      website === "https://slow.example/"
        ? new Promise<EnrichmentResult>(() => undefined)
        : Promise.resolve(found("a@a.example")),
  };
  const places = [aPlace({ website: "https://slow.example/" }), aPlace({ website: "https://a.example/" })];

  const [slow, quick] = await enrichListings(enrichment, places, running(), 20);

  assert.equal(slow?.enrichmentState, "timed_out");
  assert.deepEqual(Object.entries(slow?.fieldStates ?? {})[0], ["emails", "not_supplied"]);
  assert.deepEqual(quick?.emails, ["a@a.example"]);
});

test("a caller who left ends the looks with its own reason", async () => {
  const caller = new AbortController();
  const enrichment = { enrich: () => new Promise<EnrichmentResult>(() => undefined) };
  const pending = enrichListings(enrichment, [aPlace({ website: "https://a.example/" })], caller.signal);

  caller.abort(new Error("the caller left"));

  await assert.rejects(pending, /the caller left/);
});

test("extra: true looks at websites and extra: false does not", async (t) => {
  const place = aPlace({ website: "https://a.example/" });
  const { source } = scriptedSource(async () => ({ listings: [place], verdict: "ok" }));
  const api = await startApi(t, { sources: { osm: source }, enrichment: { enrich: async () => found("a@a.example") } });
  const { text: key } = await api.givenKey({ environment: "live" });

  const plain = await api.searchAs(key, { q: "coffee" });
  const extra = await api.searchAs(key, { q: "coffee", extra: true });

  const [first, second] = [plain.body["data"].businesses[0], extra.body["data"].businesses[0]];
  assert.deepEqual(first.place.emails, []);
  assert.equal(first.place.enrichmentState, "not_requested");
  assert.deepEqual(second.place.emails, ["a@a.example"]);
  assert.equal(second.businessId, first.businessId);
  assert.equal(second.revision, 2);
});
