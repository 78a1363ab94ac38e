import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/database-door.ts";
import { startApi } from "../../test/harness.ts";
import { scriptedSource } from "../../test/scripted-source.ts";
import { startWebhooks } from "../../test/webhooks.ts";
import { newUuid } from "../platform/ids.ts";
import { silentLog } from "../platform/log.ts";

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

// They come every few seconds, from several balancers; one that fails is worth a line.
test("a health check leaves a line at info only when something is wrong", async (t) => {
  const { lines, log } = keepLines();
  let freeBytes = 10e9;
  const api = await startApi(t, { log, readDisk: async () => ({ freeBytes, totalBytes: 20e9 }) });

  for (const path of ["/healthz", "/readyz", "/metrics", "/"]) await api.call(path);
  freeBytes = 0;
  await api.call("/readyz");

  assert.deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [
      ["/", 200],
      ["/readyz", 503],
    ],
  );
});

/** A log that keeps its lines of level info. */
function keepLines() {
  const lines: Record<string, unknown>[] = [];
  return {
    lines,
    log: { ...silentLog, info: (fields: object, message: string) => void lines.push({ ...fields, message }) },
  };
}

const requestIdsOf = (lines: readonly Record<string, unknown>[], message: string) =>
  lines.filter((line) => line["message"] === message).map((line) => line["request_id"]);

test("a job's line has the id of the request that created it", async (t) => {
  const { lines, log } = keepLines();
  const api = await startApi(t, { log, source: scriptedSource().source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();

  const json = { operation: "places.search", input: { q: "coffee in Vaduz" } };
  const { body } = await api.call("/api/v1/scrapes", { key, json, headers: { "Idempotency-Key": newUuid() } });
  await until(() => requestIdsOf(lines, "scrape.finished").length > 0);

  assert.deepEqual(requestIdsOf(lines, "scrape.finished"), [body["request_id"]]);
  assert.ok(requestIdsOf(lines, "request.finished").includes(body["request_id"]));
});

test("a delivery attempt's line has the id of the request that its event goes back to", async (t) => {
  const { lines, log } = keepLines();
  const stage = await startWebhooks(t, { log });
  const event = await stage.givenEvent((await stage.givenEndpoint()).uuid);

  await stage.dispatcher.drain();

  assert.deepEqual(requestIdsOf(lines, "webhook.attempted"), [event.requestId]);
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
