import assert from "node:assert/strict";
import { test } from "node:test";
import { readReview } from "./media.ts";

const publishedAt = (...times: unknown[]) =>
  readReview(["review-1", ["", null, ...times], [[5]]], 0, "https://maps.example").publishedAt;

test("a review's time is in microseconds; a number too small for one makes no date of 1970", () => {
  assert.equal(publishedAt(1_758_531_600_000_000), "2025-09-22T09:00:00.000Z");
  assert.equal(publishedAt(1_758_531_600_000), null);
  assert.equal(publishedAt(1_758_531_600), null);
  assert.equal(publishedAt(5, 1_758_531_600_000_000), "2025-09-22T09:00:00.000Z");
});
