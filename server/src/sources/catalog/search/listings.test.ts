import assert from "node:assert/strict";
import { test } from "node:test";
import { aPlace } from "../../../../test/place.ts";
import { createListings } from "./listings.ts";

const full = 64;
const bytesMax = full * 5_000;

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

test("one that is easily made is kept once its place is wanted again", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();

  listings.keepIfAgain(1, "en", place);
  assert.equal(listings.find(1, "en"), undefined);
  listings.keepIfAgain(2, "en", place);
  listings.keepIfAgain(1, "en", place);

  assert.equal(listings.find(1, "en"), place);
  assert.equal(listings.find(2, "en"), undefined);
});

test("one that is used stays, and one that nobody uses goes, whatever their languages", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();
  listings.keep(0, "en", place);
  listings.keep(0, "de", place);

  for (let number = 1; number < full; number += 1) listings.keep(number, "fr", place);
  assert.equal(listings.find(0, "en"), undefined, "the oldest made room");
  assert.equal(listings.find(0, "de"), place, "it is young again");
  for (let number = full; number < full * 2 - 2; number += 1) listings.keep(number, "fr", place);

  assert.equal(listings.find(0, "de"), place);
  assert.equal(listings.find(1, "fr"), undefined);
  assert.equal(listings.bytes(), bytesMax);
});

test("as many as fit are all found again, however often they are used in turn", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();
  for (let number = 0; number < full; number += 1) listings.keep(number, "en", place);

  for (let use = 0; use < full * 5; use += 1) assert.equal(listings.find(use % full, "en"), place);
});

test("a listing that is made again counts once", () => {
  const listings = createListings({ bytesMax: () => bytesMax });
  const place = aPlace();
  listings.keep(1, "en", place);

  for (let times = 0; times < full * 3; times += 1) listings.keep(2, "en", place);

  assert.equal(listings.find(1, "en"), place);
  assert.equal(listings.bytes(), 2 * 5_000);
});

test("listings that no longer fit are let go, the oldest first", () => {
  let room = bytesMax;
  const listings = createListings({ bytesMax: () => room });
  const place = aPlace();
  for (let number = 0; number < full; number += 1) listings.keep(number, "en", place);

  room = 20 * 5_000;
  listings.trim();
  assert.equal(listings.bytes(), room);
  assert.equal(listings.find(full - 21, "en"), undefined);
  assert.equal(listings.find(full - 20, "en"), place);
  assert.equal(listings.find(full - 1, "en"), place);
  room = -1;
  listings.trim();
  assert.equal(listings.bytes(), 0);
  listings.keep(1, "en", place);
  assert.equal(listings.find(1, "en"), undefined);
});

test("listings of the generation before are found as they are now, count until they are let go, and go first", () => {
  const [before, listings] = [
    createListings({ bytesMax: () => bytesMax }),
    createListings({ bytesMax: () => bytesMax }),
  ];
  const place = aPlace();
  for (let number = 0; number < full; number += 1) before.keep(number, "en", place);
  const now = { ...place, observedAt: "2026-11-01T00:00:00.000Z" };

  listings.inherit(before, (number) => (number === 1 ? undefined : now));
  assert.equal(listings.bytes(), bytesMax);
  assert.equal(listings.find(0, "en"), now);
  assert.equal(listings.find(1, "en"), undefined, "it changed");
  assert.equal(listings.bytes(), bytesMax, "the one that was found counts twice, and another went");

  listings.keep(1, "en", place);
  listings.keep(full, "en", place);
  assert.equal(listings.find(2, "en"), undefined, "the oldest of those before made room");
  assert.equal(listings.find(3, "en"), now);
  for (let number = full; number < full * 2 - 3; number += 1) listings.keep(number, "en", place);
  assert.equal(listings.find(0, "en"), now);
  assert.equal(listings.bytes(), bytesMax);
});
