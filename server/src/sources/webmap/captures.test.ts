import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Place } from "../../places/place.ts";
import { parseEnvelope } from "./envelope.ts";
import { createListings } from "./listing.ts";
import { type Media, readMedia, readReview } from "./media.ts";
import { detailRecord, readSearch, type WebmapRecord } from "./records.ts";
import { at } from "./values.ts";
import { verdictOn } from "./verdict.ts";

// The people whose reviews these are stay unnamed: no assertion here shows a text.
const captures = join(import.meta.dirname, "../../../../../shared/data/captures/webmap");
const base = "https://maps.example";
const listingOf = createListings({ base, drift: { count() {} } });
const none: Media = { reviewsState: "not_requested", reviews: [], photosState: "not_requested", photos: [] };
const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(JSON.parse(JSON.stringify(Place)));

function open(t: TestContext, file: string): unknown {
  if (!existsSync(captures)) return t.skip("the real data is not here");
  return parseEnvelope(readFileSync(join(captures, file), "utf8"));
}

function listing(record: WebmapRecord, media = none, hl = "en") {
  const isDetail = media !== none;
  const place = listingOf(record, { hl, observedAt: new Date(0), isDetail, extra: isDetail, isTrimmed: false, media });
  assert.ok(isValid(place), ajv.errorsText(isValid.errors));
  return place;
}

test("all 20 businesses of a real search answer are read, with everything it tells of them", (t) => {
  const root = open(t, "output.json");
  if (!root) return;

  const answer = readSearch(root);
  const places = answer.records.map((record) => listing(record));

  assert.equal(
    verdictOn(root, answer, { q: "coffee", page: 1, hl: "en", extra: false, ll: "@38.0289,23.7,15z" }),
    "ok",
  );
  assert.equal(places.length, 20);
  for (const place of places) {
    const { name, placeId, dataId, cid, kgmid, categories, address, location, phone, rating, reviewCount } = place;
    const { timeZone, about, claimed, plusCode, mapsUrl } = place;
    for (const value of [name, placeId, dataId, cid, kgmid, location, phone, rating, reviewCount, timeZone, claimed]) {
      assert.notEqual(value, null);
    }
    for (const part of [address.formatted, address.street, address.city, address.postalCode, address.municipality]) {
      assert.notEqual(part, null);
    }
    assert.equal(address.countryCode, "GR");
    assert.notEqual(address.municipality, "Greece");
    assert.ok(categories.length > 0 && about.length > 0 && plusCode && mapsUrl);
    assert.equal(cid, BigInt(dataId?.split(":")[1] ?? "").toString());
  }
  assert.equal(places.filter(({ openingHours }) => openingHours?.weekly).length, 19);
  assert.equal(places.filter(({ claimed }) => claimed === false).length, 1);
});

for (const [file, hl] of [
  ["raw.json", "en"],
  ["raw2.json", "el"],
  ["panic.json", "en"],
] as const) {
  test(`${file}: a real detail answer has 8 reviews, photos and hours`, (t) => {
    const root = open(t, file);
    if (!root) return;
    const record = detailRecord(root);
    assert.ok(record);

    const place = listing(record, readMedia(record, base), hl);

    assert.deepEqual([place.reviewsState, place.reviews.length], ["returned", 8]);
    for (const review of place.reviews) {
      const { id, rating, text, publishedAt, publishedText, reviewer, sourceUrl } = review;
      const parts = [
        id,
        rating,
        text,
        publishedAt,
        publishedText,
        reviewer?.displayName,
        reviewer?.profileUrl,
        sourceUrl,
      ];
      assert.ok(parts.every((part) => part !== null && part !== undefined));
    }
    assert.ok(place.photosState === "returned" && place.photos.length >= 9);
    assert.ok(place.openingHours?.weekly && place.featuredImageUrl && place.owner?.name && place.priceRange);
    assert.ok(
      ![place.reviewUrl, place.featuredImageUrl, ...place.photos.map(({ url }) => url)].join("").includes("\\u"),
    );
    if (file === "panic.json") assert.equal(place.openingHours.weekly.monday?.[0]?.opens, "00:00");
  });
}

test("single reviews of the newest layout are read, with and without text and reply", (t) => {
  for (const [file, hasText, hasReply] of [
    ["review_native_no_text.json", false, false],
    ["review_native_no_translation.json", true, false],
    ["review_native_with_reply.json", true, true],
  ] as const) {
    const root = open(t, file);
    if (!root) return;
    const review = readReview(at(root, [0, 0]), 0, base);
    assert.deepEqual([review.text !== null, review.ownerResponse !== null], [hasText, hasReply], file);
    assert.ok(review.id && review.rating && review.publishedAt && review.reviewer?.displayName && review.sourceUrl);
  }
});
