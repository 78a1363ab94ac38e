import assert from "node:assert/strict";
import { test } from "node:test";
import { aPlace } from "../../../../test/place.ts";
import { createListings } from "./listings.ts";

const full = 64;
/** What the young and the old take together. */
const bytesMax = full * 2 * 5_000;

test("a listing is kept for its place and its language", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const [english, german] = [aPlace(), aPlace()];

  listings.keep(1, "en", english);
  listings.keep(1, "de", german);

  assert.equal(listings.find(1, "en"), english);
  assert.equal(listings.find(1, "de"), german);
  assert.equal(listings.find(2, "en"), undefined);
  assert.equal(listings.find(1, "fr"), undefined);
});

test("one that is asked for stays, and one that nobody asks for goes, whatever their languages", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();
  listings.keep(0, "en", place);
  listings.keep(0, "de", place);

  for (let number = 1; number < full; number += 1) listings.keep(number, "fr", place);
  assert.equal(listings.find(0, "en"), place, "it is old, and young again");
  for (let number = full; number < full * 2 - 1; number += 1) listings.keep(number, "fr", place);

  assert.equal(listings.find(0, "en"), place);
  assert.equal(listings.find(0, "de"), undefined);
  assert.ok(listings.bytes() <= bytesMax);
});

test("a listing that is made again counts once", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();
  listings.keep(1, "en", place);

  for (let times = 0; times < full * 3; times += 1) listings.keep(2, "en", place);

  assert.equal(listings.find(1, "en"), place);
});

test("listings that no longer fit are let go, the old ones first", () => {
  let room = bytesMax;
  const listings = createListings({ bytesMax: () => room });
  const place = aPlace();
  for (let number = 0; number < full + 10; number += 1) listings.keep(number, "en", place);

  listings.trim();
  assert.equal(listings.find(full + 9, "en"), place);
  assert.equal(listings.bytes(), (full + 10) * 5_000);
  room = 20 * 5_000;
  listings.trim();
  assert.equal(listings.bytes(), 10 * 5_000);
  assert.equal(listings.find(0, "en"), undefined);
  assert.equal(listings.find(full + 9, "en"), place);
  room = 5 * 5_000;
  listings.trim();
  assert.equal(listings.bytes(), 0);
});
