import assert from "node:assert/strict";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { defer } from "../server/test/defer.ts";
import { startService, until, waypost } from "./service.ts";
import { type Fault, type Replay, startReplay } from "./webmap/replay.ts";
import { call, liveKeyIn, setUp } from "./webhook-stage.ts";

type Found = { businessId: string; revision: number; place: Record<string, any> };

const onMap = ({ url }: Replay) => ({
  WAYPOST_SOURCE: "webmap",
  WAYPOST_WEBMAP_URL: url,
  WAYPOST_WEBMAP_RATE: "0",
});

test("a service on a web map: search, job with extras, every fault with its error, metric and log line", async (t) => {
  const replay = await startReplay();
  defer(t, () => replay.close());
  const { environment } = await setUp(t);
  const settings = { ...environment, ...onMap(replay), WAYPOST_LOG_LEVEL: "info" };
  const service = await startService(t, settings);
  const key = liveKeyIn(service.output);
  const search = (json: object) => call(service.address, key, "POST", "/search", json);

  const found = await search({ q: "cafés in Vaduz" });
  assert.equal(found.status, 200, JSON.stringify(found.body));
  const businesses = found.body["data"].businesses as Found[];
  assert.equal(businesses.length, 20);
  assert.deepEqual([businesses[0]?.place["rating"], businesses[0]?.place["reviewCount"]], [3.1, 11]);
  assert.equal(businesses[0]?.place["claimed"], true);

  const input = { q: "hotel in Springfield", extra: true };
  const headers = { "Idempotency-Key": "a-job-with-reviews-and-photos", Prefer: "wait=25" };
  const job = await call(service.address, key, "POST", "/scrapes", { operation: "places.search", input }, headers);
  assert.equal(job.body["data"].result_count, 1, JSON.stringify(job.body));
  const results = await call(service.address, key, "GET", `/scrapes/${job.body["data"].id}/results`);
  const [hotel] = results.body["data"].records as Found[];
  assert.deepEqual([hotel?.place["reviewsState"], hotel?.place["reviews"].length], ["returned", 3]);
  assert.equal(hotel?.place["photosState"], "returned");

  replay.detailFault = "shell";
  const partial = await call(
    service.address,
    key,
    "POST",
    "/scrapes",
    { operation: "places.search", input: { q: "replay bar", extra: true } },
    { "Idempotency-Key": "a-job-without-its-details", Prefer: "wait=25" },
  );
  assert.equal(partial.body["data"].status, "partial");
  replay.detailFault = undefined;

  // A trimmed answer keeps what was known.
  replay.fault = "trimmed";
  const trimmed = await search({ q: "cafés in Vaduz" });
  const [first] = trimmed.body["data"].businesses as Found[];
  assert.deepEqual([first?.businessId, first?.revision], [businesses[0]?.businessId, 1]);
  assert.equal(first?.place["reviewCount"], 11);
  assert.equal((await service.end("SIGTERM")).code, 0);
});

type Told = [Fault, status: number, code: string, kind: string];

// What is told to slow down closes the source for minutes: it comes last in its process.
const processes: readonly Told[][] = [
  [
    ["shell", 502, "source_failed", "shell"],
    ["truncated", 502, "source_failed", "cut_off"],
    ["block", 502, "source_failed", "blocked"],
  ],
  [
    ["wrong_city", 502, "source_failed", "wrong_place"],
    ["slow", 504, "source_timeout", "timed_out"],
    ["consent", 502, "source_failed", "consent"],
  ],
  [["too_many", 503, "source_unavailable", "blocked"]],
  [["layout", 502, "source_failed", "layout_unknown"]],
];

test("what a web map does wrong is told by error, metric and log line", async (t) => {
  const replay = await startReplay();
  defer(t, () => replay.close());
  const { environment } = await setUp(t);
  const settings = { ...environment, ...onMap(replay), WAYPOST_LOG_LEVEL: "info" };
  let key = "";
  for (const faults of processes) {
    const service = await startService(t, settings);
    key ||= liveKeyIn(service.output);
    let lines = "";
    service.child.stderr?.on("data", (chunk) => (lines += String(chunk)));
    for (const [fault, status, code, kind] of faults) {
      replay.fault = fault;
      const failed = await call(service.address, key, "POST", "/search", { q: "cafés", ll: "@47.141,9.521,14z" });

      assert.deepEqual([failed.status, failed.body["error"].code], [status, code], fault);
      assert.equal(failed.body["error"].retryable, true);
      const line = `waypost_webmap_answers_total{request="search",class="${kind}"} 1`;
      await until(async () => (await (await fetch(`${service.address}/metrics`)).text()).includes(line));
    }
    await service.end("SIGTERM");
    for (const [fault, , , kind] of faults) assert.ok(lines.includes(`"class":"${kind}"`), fault);
    assert.ok(!lines.includes("cafés"), "a log line holds no query");
  }
  assert.equal((await readdir(join(environment.WAYPOST_DATA_DIR, "webmap-samples"))).length, 1);
});

test("a business that the catalog knows is the same one on the web map", async (t) => {
  const replay = await startReplay();
  defer(t, () => replay.close());
  const { environment } = await setUp(t);
  const file = join(environment.WAYPOST_DATA_DIR, "places.geojson");
  const feature = {
    type: "Feature",
    properties: { name: "Replay Cafe 7", amenity: "cafe", phone: "+423 232 10 07" },
    geometry: { type: "Point", coordinates: [9.5211, 47.14175] },
  };
  await writeFile(file, JSON.stringify({ type: "FeatureCollection", features: [feature] }));
  const catalog = await startService(t, environment);
  const key = liveKeyIn(catalog.output);
  const imported = await waypost(["catalog", "import", file, "--json"], environment);
  assert.equal(imported.code, 0, imported.stderr);
  let known: Found | undefined;
  await until(async () => {
    const { body } = await call(catalog.address, key, "POST", "/search", { q: "Replay Cafe 7" });
    [known] = (body["data"]?.businesses ?? []) as Found[];
    return known !== undefined;
  });
  await catalog.end("SIGTERM");

  const service = await startService(t, { ...environment, ...onMap(replay) });
  const { body } = await call(service.address, key, "POST", "/search", { q: "replay café 7" });

  const [mapped] = body["data"].businesses as Found[];
  assert.equal(mapped?.place["name"], "Replay Café 7");
  assert.equal(mapped.businessId, known?.businessId);
  assert.equal(mapped.revision, 2);
});
