import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import { cafe, hotel } from "../../../../e2e/webmap/town.ts";
import { Place } from "../../places/place.ts";
import type { SourceQuery } from "../source.ts";
import { parseEnvelope } from "./envelope.ts";
import { WebmapFailure } from "./failures.ts";
import { createListings } from "./listing.ts";
import { readMedia } from "./media.ts";
import { detailRecord, readSearch } from "./records.ts";
import { verdictOn } from "./verdict.ts";

const base = "https://maps.example";
const listingOf = createListings({ base, drift: { count() {} } });
const ajv = new Ajv2020();
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(JSON.stringify(Place)));
const query: SourceQuery = { q: "cafés", page: 1, hl: "en", extra: false, ll: "@47.141,9.521,14z" };
const observedAt = new Date("2026-09-22T09:30:00.000Z");

const detail = () => [null, [], null, null, null, null, writeRecord(cafe(1), { isDetail: true })];
const page = () => {
  const records = [cafe(1), cafe(2), hotel].map((place) => writeRecord(place));
  return [
    ["cafés", [[null], ...records.map((record) => [...Array.from({ length: 14 }, () => null), record])]],
    [[3000, 9.521, 47.141]],
  ];
};

/** Reads a body as the source does: listings that keep to the schema, or a classified failure. */
function readBody(body: string): number {
  try {
    const root = parseEnvelope(body);
    const answer = readSearch(root);
    const verdict = verdictOn(root, answer, query);
    const found = detailRecord(root);
    const places = [...answer.records, ...(found ? [found] : [])].map((record) =>
      listingOf(record, {
        hl: "en",
        observedAt,
        isDetail: true,
        extra: true,
        isTrimmed: verdict === "trimmed",
        media: readMedia(record, base),
      }),
    );
    for (const place of places) assert.ok(isValid(place), `${ajv.errorsText(isValid.errors)} in ${body}`);
    return places.length;
  } catch (error) {
    assert.ok(error instanceof WebmapFailure, `${String(error)} from ${body.slice(0, 2000)}`);
    return -1;
  }
}

test("the payloads that are mutated are good ones", () => {
  assert.ok(readBody(JSON.stringify(page())) >= 3);
  assert.ok(
    readBody(`)]}'\n${JSON.stringify([["cafés"], [[3000, 9.521, 47.141]], null, null, null, null, detail()[6]])}`) >= 1,
  );
});

test("a payload that is cut anywhere is a classified failure", () => {
  const body = `)]}'\n${JSON.stringify(page())}`;
  fc.assert(
    fc.property(fc.nat({ max: body.length - 1 }), (length) => assert.equal(readBody(body.slice(0, length)), -1)),
  );
});

const foreign = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double(),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }).map(Number),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "\\u003d\\u0000",
    "http://[",
    "/url?q=javascript:alert(1)",
    "//x",
    "0x1:0x2",
    "x".repeat(30_000),
    "__proto__",
    "\ud800",
  ),
  fc.array(fc.anything({ maxDepth: 2 }), { maxLength: 4 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant({ length: 3 }),
);

test("values of any kind in any place give a valid page or a classified failure", () => {
  for (const make of [page, detail]) {
    const places = pathsOf(make());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: places.length - 1 }), foreign), { minLength: 1, maxLength: 8 }),
        (changes) => {
          const payload: unknown = make();
          for (const [index, value] of changes) replaceAt(payload, places[index] ?? [], value);
          readBody(JSON.stringify(payload) ?? "");
        },
      ),
      { numRuns: 400 },
    );
  }
});

test("any JSON at all, however deep, is a classified failure or a page without surprises", () => {
  fc.assert(fc.property(fc.json({ maxDepth: 6 }), (body) => void readBody(body)));
  for (const depth of [1_000, 200_000]) {
    readBody("[".repeat(depth) + "]".repeat(depth));
    const payload = page();
    payload[2] = "deep" as never;
    readBody(JSON.stringify(payload).replace('"deep"', "[".repeat(depth) + "]".repeat(depth)));
  }
});

test("lists in lists at any one place of a record leave it a listing, or its page a classified failure", () => {
  const deep = JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) as unknown;
  const fourteen = Array.from({ length: 14 }, () => null);
  const asked = { ...query, q: "Zebra Qux", ll: "@10,10,14z" };
  const record = writeRecord(cafe(1));
  for (const path of [...pathsOf(record), [203, 0, 0, 4], [203, 0, 0, 6], [34, 1, 0, 8]]) {
    if (path.length === 0) continue;
    const changed = structuredClone(record);
    if (path[0] === 34)
      changed[34] = [null, [["Monday", ["9 AM"], null, null, "2026-09-21", 1, [[9, 0, 17, 0]], 0, 0]]];
    replaceAt(changed, path, deep);
    const root = [["Zebra Qux", [[...fourteen, changed]]], [[3000, 9.521, 47.141]]];
    const options = { hl: "en", observedAt, isDetail: true, extra: true, isTrimmed: false };
    listingOf(changed, { ...options, media: readMedia(changed, base) });
    try {
      verdictOn(root, readSearch(root), asked);
    } catch (error) {
      assert.ok(error instanceof WebmapFailure, `${String(error)} at ${path.join(".")}`);
    }
  }
});

/** Every place of a value, as the way there. */
function pathsOf(value: unknown, path: number[] = []): number[][] {
  if (!Array.isArray(value)) return [path];
  return [path, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))];
}

function replaceAt(value: unknown, path: readonly number[], next: unknown): void {
  const [index, ...rest] = path;
  if (index === undefined || !Array.isArray(value)) return;
  if (rest.length === 0) value[index] = next;
  else replaceAt(value[index], rest, next);
}
