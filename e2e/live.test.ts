import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startService, waypost } from "./service.ts";
import { assertGenuine, call, liveKeyIn, setUp } from "./webhook-stage.ts";

const feature = (name: string, amenity: string, longitude: number) => ({
  type: "Feature",
  properties: { name, amenity, "addr:city": "Vaduz", phone: "+423 232 00 00" },
  geometry: { type: "Point", coordinates: [longitude, 47.141] },
});

const places = {
  type: "FeatureCollection",
  features: [
    feature("Probe Espresso", "cafe", 9.521),
    feature("Probe Pharmacy", "pharmacy", 9.522),
    feature("Lantern Inn", "restaurant", 9.523),
  ],
};

test("an import, a live search, a job and its webhooks, on the real processes", async (t) => {
  const { receiver, environment } = await setUp(t);
  const service = await startService(t, { ...environment, WAYPOST_RATE_LIMIT: "100000" });
  const { address } = service;
  const key = liveKeyIn(service.output);
  const file = join(environment.WAYPOST_DATA_DIR, "places.geojson");
  await writeFile(file, JSON.stringify(places));
  const post = (path: string, json: unknown, headers = {}) => call(address, key, "POST", path, json, headers);

  const imported = await waypost(["catalog", "import", file, "--json"], environment);
  assert.equal(imported.code, 0, imported.stderr);
  const endpoint = await post("/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.started", "scrape.completed"],
  });
  const { id: endpointId, secret } = endpoint.body["data"];
  // The service looks every other second whether the catalog has places; until then it says that it has no source.
  const deadline = AbortSignal.timeout(60_000);
  let found = await post("/search", { q: "cafe", ll: "@47.141,9.521,14z" });
  while (found.status !== 200) {
    deadline.throwIfAborted();
    found = await post("/search", { q: "cafe", ll: "@47.141,9.521,14z" });
  }

  assert.equal(found.body["data"].simulated, false);
  assert.deepEqual(
    found.body["data"].businesses.map((business: { place: { name: string } }) => business.place.name),
    ["Probe Espresso"],
  );
  assert.equal(found.headers.get("x-svc-units-charged"), "1");

  const input = { q: "Lantern Inn", webhook_endpoint_id: endpointId };
  const headers = { "Idempotency-Key": "one-job-and-no-more", Prefer: "wait=25" };
  const job = await post("/scrapes", { operation: "places.search", input }, headers);
  const again = await post("/scrapes", { operation: "places.search", input }, headers);
  assert.equal(job.body["data"].status, "succeeded");
  assert.equal(again.body["data"].id, job.body["data"].id);
  const results = await call(address, key, "GET", `/scrapes/${job.body["data"].id}/results`);
  assert.equal(results.body["data"].records[0].place.name, "Lantern Inn");
  assert.equal(results.body["data"].is_complete, true);

  await receiver.until(() => receiver.received.length >= 2);
  const told = receiver.received.map(
    ({ body }) => body as { type: string; data: { sequence: number; job_id: string } },
  );
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.sequence, data.job_id]),
    [
      ["scrape.started", 1, job.body["data"].id],
      ["scrape.completed", 2, job.body["data"].id],
    ],
  );
  for (const received of receiver.received) assertGenuine(received, secret);

  const usage = JSON.parse((await waypost(["usage", "--json"], environment)).stdout) as object;
  assert.match(JSON.stringify(usage), /"used":2/);
});
