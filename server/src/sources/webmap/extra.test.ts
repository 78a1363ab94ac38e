import assert from "node:assert/strict";
import { test } from "node:test";
import { SourceFailure, type SourceQuery } from "../source.ts";
import { startMap } from "./testing.ts";

const signal = () => new AbortController().signal;
const query: SourceQuery = { q: "cafés", page: 3, hl: "en", extra: true };

test("with extra each place has its reviews and photos, in both layouts, cut at what the schema holds", async (t) => {
  const map = await startMap(t);

  const { listings, verdict } = await map.source.search(query, signal());

  assert.deepEqual([verdict, listings.length], ["ok", 5]);
  const [many, few] = [listings[2], listings[0]];
  assert.deepEqual([many?.reviewsState, many?.reviews.length], ["truncated_by_schema", 10]);
  assert.deepEqual([many?.photosState, many?.photos.length], ["truncated_by_schema", 20]);
  assert.deepEqual([few?.reviewsState, few?.reviews.length, few?.photosState], ["returned", 3, "returned"]);
  for (const review of few?.reviews ?? []) {
    assert.match(review.text ?? "", /^Review \d of place 41\.$/);
    assert.match(review.reviewer?.displayName ?? "", /^Reviewer \d$/);
    assert.equal(review.publishedAt, "2025-09-22T09:00:00.000Z");
    assert.equal(review.language, "en");
  }
  assert.deepEqual([few?.reviews[0]?.ownerResponse, few?.reviews[1]?.ownerResponse], ["Thank you.", null]);
  assert.equal(few?.photos[0]?.url, "https://images.invalid/p/photo-41-0=w1600-h1200-k-no");
  assert.equal(few.featuredImageUrl, "https://images.invalid/p/photo-41-0=w203-h100-k-no");
  assert.equal(few.owner?.name, "Replay Café 41 (Owner)");
  assert.equal(few.plusCode, "8FVC4GRC+22");
});

test("details that do not come in time are withheld, and the page is trimmed", async (t) => {
  const map = await startMap(t);
  map.replay.detailFault = "slow";

  const { listings, verdict } = await map.source.search(query, signal(), 1_200);

  assert.deepEqual([verdict, listings.length], ["trimmed", 5]);
  for (const { reviewsState, photosState, fieldStates } of listings) {
    assert.deepEqual([reviewsState, photosState], ["unavailable", "unavailable"]);
    assert.equal((fieldStates as Record<string, string>)["reviews"], "not_supplied");
  }
});

test("a map that blocks during the details is asked for no more of them", async (t) => {
  const map = await startMap(t);
  map.replay.detailFault = "block";

  const { verdict } = await map.source.search(query, signal());

  assert.equal(verdict, "trimmed");
  assert.ok(map.replay.asked.length <= 3, "the search, and one detail of each worker");
  assert.equal(map.lines.find(({ message }) => message === "source.details_failed")?.fields["code"], "source_failed");
  await assert.rejects(map.source.search(query, signal()), SourceFailure);
});

test("what the details withhold of a rating, the search answer still tells", async (t) => {
  const map = await startMap(t);
  const searched = await map.source.search({ ...query, extra: false }, signal());
  map.replay.detailFault = "trimmed";

  const { listings } = await map.source.search(query, signal());

  for (const [index, { rating, reviewCount, priceRange, reviewsState }] of listings.entries()) {
    const known = searched.listings[index];
    assert.deepEqual([rating, reviewCount, priceRange], [known?.rating, known?.reviewCount, known?.priceRange]);
    assert.notEqual(reviewsState, "unavailable");
  }
  assert.ok(listings.some(({ reviewCount }) => reviewCount !== null));
});

test("a week of which the details tell one day is still the search answer's", async (t) => {
  const map = await startMap(t);
  const searched = await map.source.search({ ...query, extra: false }, signal());
  map.replay.detailFault = "one_day";

  const { listings } = await map.source.search(query, signal());

  assert.deepEqual(
    listings.map(({ openingHours }) => openingHours),
    searched.listings.map(({ openingHours }) => openingHours),
  );
  assert.ok(listings.every(({ openingHours }) => openingHours !== null));
});

test("the details of another place are not taken for those of this one", async (t) => {
  const map = await startMap(t);
  map.replay.detailFault = "wrong_city";

  const { listings, verdict } = await map.source.search(query, signal());

  assert.equal(verdict, "trimmed");
  assert.ok(listings.every(({ reviews }) => reviews.length === 0));
});
