import assert from "node:assert/strict";
import { test } from "node:test";
import { writeRecord } from "../../../../e2e/webmap/record.ts";
import { cafe } from "../../../../e2e/webmap/town.ts";
import { createListings } from "./listing.ts";
import { readMedia, readReview } from "./media.ts";

const publishedAt = (...times: unknown[]) =>
  readReview(["review-1", ["", null, ...times], [[5]]], 0, "https://maps.example").publishedAt;

test("a review's time is in microseconds; a number too small for one makes no date of 1970", () => {
  assert.equal(publishedAt(1_758_531_600_000_000), "2025-09-22T09:00:00.000Z");
  assert.equal(publishedAt(1_758_531_600_000), null);
  assert.equal(publishedAt(1_758_531_600), null);
  assert.equal(publishedAt(5, 1_758_531_600_000_000), "2025-09-22T09:00:00.000Z");
});

const base = "https://maps.example";
const listingOf = createListings({ base, drift: { count() {} } });

/** Why a listing made of details, in which some positions hold something else, has no reviews and no photos. */
function statesOf(changes: Readonly<Record<number, unknown>>) {
  const record = Object.assign(writeRecord(cafe(1), { isDetail: true }), changes);
  const options = { hl: "en", observedAt: new Date(0), isDetail: true, extra: true, isTrimmed: false };
  const { fieldStates } = listingOf(record, { ...options, media: readMedia(record, base) });
  return [Reflect.get(fieldStates, "reviews"), Reflect.get(fieldStates, "photos")];
}

test("reviews and photos that the details must have and do not show are withheld", () => {
  const moved = [{ text: "moved" }];

  assert.deepEqual(statesOf({}), [undefined, undefined]);
  assert.deepEqual(statesOf({ 175: null }), ["not_supplied", undefined]);
  assert.deepEqual(statesOf({ 175: [...Array.from({ length: 9 }, () => null), [moved]], 4: null }), [
    "not_supplied",
    undefined,
  ]);
  assert.deepEqual(statesOf({ 171: [moved], 72: null }), [undefined, "not_supplied"]);
  assert.deepEqual(statesOf({ 4: null, 175: null, 171: [[]], 72: [null] }), ["absent", "absent"]);
});
