import assert from "node:assert/strict";
import { test } from "node:test";
import { startApi } from "../../test/harness.ts";

test("a request leaves one line, with who, what and how long, and without secrets", async (t) => {
  const lines: Record<string, unknown>[] = [];
  const log = {
    debug() {},
    warn() {},
    error() {},
    info: (fields: object, message: string) => void lines.push({ ...fields, message }),
  };
  const api = await startApi(t, { log });
  const { text, key, organizationId } = await api.givenKey();

  const good = await api.searchAs(
    text,
    { q: "a very private query" },
    { "Idempotency-Key": "a-secret-idempotency-key" },
  );
  const bad = await api.searchAs(text, { q: "" });
  const stranger = await api.searchAs("svc_live_nonsense", { q: "coffee" });

  const byId = new Map(lines.map((line) => [line["request_id"], line]));
  assert.equal(lines.length, 3);
  const line = byId.get(good.body["request_id"]);
  assert.equal(line?.["message"], "request.finished");
  assert.deepEqual(
    [
      line?.["method"],
      line?.["route"],
      line?.["status"],
      line?.["organization_id"],
      line?.["key_id"],
      line?.["environment"],
    ],
    ["POST", "/api/v1/search", 200, organizationId, key.id, "test"],
  );
  assert.equal(typeof line?.["duration_ms"], "number");
  assert.equal(byId.get(bad.body["request_id"])?.["error_code"], "invalid_request");
  assert.equal(byId.get(stranger.body["request_id"])?.["error_code"], "unauthenticated");
  const written = JSON.stringify(lines);
  for (const secret of [text, text.slice(18), "private", "a-secret-idempotency-key", "nonsense"])
    assert.ok(!written.includes(secret), secret);
});

test("requests are counted for Prometheus by route and status", async (t) => {
  const api = await startApi(t);
  const { text } = await api.givenKey();
  await api.searchAs(text, { q: "coffee" });
  await api.searchAs(text, { q: "" });

  const { text: metrics, headers } = await api.call("/metrics");

  assert.match(headers.get("content-type") ?? "", /^text\/plain/);
  for (const status of [200, 400]) {
    assert.match(
      metrics,
      new RegExp(
        `waypost_http_request_duration_seconds_count\\{method="POST",route="/api/v1/search",status="${status}"\\} 1`,
      ),
    );
  }
});
