import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { verifyWebhook, WebhookVerificationError } from "@waypost/sdk";

const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const oldSecret = "whsec_OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=";
const now = new Date("2026-09-22T12:00:00.000Z");
const seconds = Math.floor(now.getTime() / 1_000);
const body = JSON.stringify({ id: "0199", type: "scrape.completed", data: { job_id: "job_1", name: "Café 🏔" } });

/** Node's kind of headers, as a delivery carries them. */
function signed(options: { body?: string; secret?: string; at?: number } = {}) {
  const { at = seconds } = options;
  const hmac = createHmac("sha256", options.secret ?? secret).update(`${at}.${options.body ?? body}`);
  return {
    "content-type": "application/json",
    "x-svc-timestamp": String(at),
    "x-svc-signature": `v1=${hmac.digest("hex")}`,
    "x-svc-key-version": "1",
  };
}

const refusal = (reason: string) => (error: unknown) =>
  error instanceof WebhookVerificationError && error.reason === reason;

test("a genuine delivery becomes its event, whatever holds its body and headers", async () => {
  const bytes = new TextEncoder().encode(body);
  const padded = Buffer.concat([Buffer.from("xx"), bytes]).subarray(2);
  const upper = { "X-SVC-Timestamp": signed()["x-svc-timestamp"], "X-SVC-Signature": [signed()["x-svc-signature"]] };

  for (const raw of [body, bytes, Buffer.from(body), bytes.buffer, padded]) {
    for (const headers of [signed(), new Headers(signed()), new Map(Object.entries(signed())), upper]) {
      const event = await verifyWebhook(raw, headers, secret, { now });
      assert.ok(event.type === "scrape.completed" && "job_id" in event.data && event.data.job_id === "job_1");
    }
  }
});

test("during a rotation either secret does, in any order, and a third does not", async () => {
  for (const secrets of [
    [secret, oldSecret],
    [oldSecret, secret],
  ]) {
    await verifyWebhook(body, signed(), secrets, { now });
    await verifyWebhook(body, signed({ secret: oldSecret }), secrets, { now });
  }
  await assert.rejects(verifyWebhook(body, signed(), [oldSecret], { now }), refusal("wrong_signature"));
});

test("a change of any byte of body, timestamp or signature is found", async () => {
  const bytes = Buffer.from(body);
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    await assert.rejects(verifyWebhook(changed, signed(), secret, { now }), refusal("wrong_signature"));
  }
  const later = { ...signed(), "x-svc-timestamp": String(seconds + 1) };
  await assert.rejects(verifyWebhook(body, later, secret, { now }), refusal("wrong_signature"));
  const signature = signed()["x-svc-signature"];
  for (let index = 3; index < signature.length; index += 1) {
    const digit = signature[index] === "0" ? "1" : "0";
    const changed = { ...signed(), "x-svc-signature": signature.slice(0, index) + digit + signature.slice(index + 1) };
    await assert.rejects(verifyWebhook(body, changed, secret, { now }), refusal("wrong_signature"));
  }
});

test("the replay window has two sides, each of which is met exactly", async () => {
  for (const [at, isFresh] of [
    [seconds - 300, true],
    [seconds - 301, false],
    [seconds + 300, true],
    [seconds + 301, false],
  ] as const) {
    const verified = verifyWebhook(body, signed({ at }), secret, { now: seconds * 1_000 });
    await (isFresh ? verified : assert.rejects(verified, refusal("stale_timestamp")));
  }
  const strict = verifyWebhook(body, signed({ at: seconds - 11 }), secret, { now, toleranceSeconds: 10 });
  await assert.rejects(strict, refusal("stale_timestamp"));
  const bad = verifyWebhook(body, signed(), secret, { now, toleranceSeconds: Number.NaN });
  await assert.rejects(bad, refusal("stale_timestamp"));
});

test("the clock is used when no time is given", async () => {
  await verifyWebhook(body, signed({ at: Math.floor(Date.now() / 1_000) }), secret);
  await assert.rejects(verifyWebhook(body, signed({ at: 1_000_000_000 }), secret), refusal("stale_timestamp"));
});

test("signatures of versions to come are passed over, and without a v1 there is none", async () => {
  const { "x-svc-signature": v1, ...rest } = signed();

  await verifyWebhook(body, { ...rest, "x-svc-signature": `v2=abc, ${v1}` }, secret, { now });

  for (const header of ["v2=abc", v1.slice(3), "v1=", `v1=${"z".repeat(64)}`, v1.toUpperCase()]) {
    const verified = verifyWebhook(body, { ...rest, "x-svc-signature": header }, secret, { now });
    await assert.rejects(verified, refusal("unsupported_version"), header);
  }
});

test("what is missing or wrong is named", async () => {
  const { "x-svc-timestamp": _, ...withoutTime } = signed();
  await assert.rejects(verifyWebhook(body, withoutTime, secret, { now }), refusal("missing_header"));
  await assert.rejects(verifyWebhook(body, {}, secret, { now }), refusal("missing_header"));
  for (const at of ["soon", "-1", "1e9", "0x10", ""]) {
    await assert.rejects(verifyWebhook(body, { ...signed(), "x-svc-timestamp": at }, secret, { now }), at || "missing");
  }
  await assert.rejects(verifyWebhook("[]", signed({ body: "[]" }), secret, { now }), refusal("not_an_event"));
  await assert.rejects(verifyWebhook("{", signed({ body: "{" }), secret, { now }), refusal("not_an_event"));
});

test("an empty secret is refused, for anybody could sign with it", async () => {
  const unset = process.env["WAYPOST_NO_SUCH_SECRET"] as string;
  for (const empty of ["", [], [secret, ""], unset]) {
    await assert.rejects(verifyWebhook(body, signed({ secret: "" }), empty, { now }), /needs the endpoint's secret/);
  }
  await assert.rejects(verifyWebhook(JSON.parse(body) as string, signed(), secret, { now }), /not a parsed object/);
});
