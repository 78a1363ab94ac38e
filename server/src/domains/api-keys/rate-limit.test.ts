import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../../test/harness.ts";
import { createRateLimit } from "./rate-limit.ts";

const json = { q: "coffee in Vaduz" };

test("a key may burst to twice its rate, then goes on at its rate", () => {
  let now = 0;
  const limit = createRateLimit(10, () => now);
  const passes = () => limit.take("key").retryAfterSeconds === 0;

  assert.equal(Array.from({ length: 25 }, passes).filter(Boolean).length, 20);
  now += 99;
  assert.equal(passes(), false);
  now += 1;
  assert.equal(passes(), true);
  assert.equal(passes(), false);
  now += 60_000;
  assert.equal(Array.from({ length: 25 }, passes).filter(Boolean).length, 20);
});

test("one key's requests take nothing from another's", () => {
  const limit = createRateLimit(1, () => 0);
  limit.take("a");
  limit.take("a");

  assert.notEqual(limit.take("a").retryAfterSeconds, 0);
  assert.equal(limit.take("b").retryAfterSeconds, 0);
});

test("every answer says what is left, and a refusal when to come back", async (t) => {
  const api = await startApi(t, { rateLimitPerSecond: 2 });
  const { text } = await api.givenKey();

  const answers = [];
  for (let sent = 0; sent < 6; sent += 1) answers.push(await api.searchAs(text, json));

  const first = answers[0];
  assert.equal(first?.headers.get("ratelimit-policy"), '"default";q=4;w=2');
  assert.match(first?.headers.get("ratelimit") ?? "", /^"default";r=3;t=1$/);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.body["error"].code, "rate_limited");
  assert.equal(refused?.body["error"].retryable, true);
  assert.equal(refused?.headers.get("retry-after"), "1");
  assert.match(refused?.headers.get("ratelimit") ?? "", /^"default";r=0;t=2$/);
});
