import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { startExports } from "../../../test/exports.ts";
import { playedSource, steadySource } from "../../../test/scrapes.ts";
import { startWebhooks } from "../../../test/webhooks.ts";
import { newId, newUuid, uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";

test("a deleted job is gone everywhere at once, with its results and the exports that hold them", async (t) => {
  const api = await startExports(t, { source: steadySource() });
  const { text: key, organizationId } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const [jobId, other] = [await api.givenJob(key), await api.givenJob(key)];
  const exportOf = async (json: object) =>
    api.finished(key, (await api.createExport(key, { ...json, format: "csv" })).body["data"].id);
  const [own, shared, kept] = [
    await exportOf({ job_id: jobId }),
    await exportOf({ job_ids: [jobId, other] }),
    await exportOf({ job_id: other }),
  ];
  const before = await api.billing.balance(organizationId);
  const headers = { "Idempotency-Key": newUuid() };

  const { status, body } = await api.call(`/api/v1/scrapes/${jobId}`, { key, method: "DELETE" });

  assert.equal(status, 200);
  assert.deepEqual(body["data"], { id: jobId, deleted: true });
  const gone = [
    await api.read(key, jobId),
    await api.results(key, jobId),
    await api.call(`/api/v1/scrapes/${jobId}/cancel`, { key, method: "POST", headers }),
    await api.call(`/api/v1/scrapes/${jobId}`, { key, method: "DELETE" }),
    await api.createExport(key, { job_id: jobId, format: "csv" }),
    await api.readExport(key, own.id),
    await api.readExport(key, shared.id),
  ];
  assert.deepEqual(
    gone.map((answer) => answer.status),
    gone.map(() => 404),
  );
  const { body: listed } = await api.call("/api/v1/scrapes", { key });
  assert.deepEqual(
    listed["data"].map(({ id }: { id: string }) => id),
    [other],
  );
  assert.equal((await api.download(own.download_url)).status, 404);
  assert.deepEqual(
    (await api.storedKeys()).map((name) => name.slice(0, 36)),
    [uuidFromId("exp", kept.id)],
  );
  const { rows } = await api.db.query(sql`select from scrape_results where job_id = ${uuidFromId("job", jobId)}`);
  assert.equal(rows.length, 0);
  assert.deepEqual(await api.billing.balance(organizationId), before);
  assert.equal(await api.billing.ledgerDifference(), 0);
});

test("a running job is canceled before it is deleted: its worker stops, and the event is written", async (t) => {
  const played = playedSource();
  const api = await startExports(t, { source: played.source });
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key)).body["data"];
  const { signal } = await played.called(1);

  const { status } = await api.call(`/api/v1/scrapes/${id}`, { key, method: "DELETE" });
  if (!signal.aborted) await once(signal, "abort", { signal: AbortSignal.timeout(20_000) });

  assert.equal(status, 200);
  assert.equal((await api.read(key, id)).status, 404);
  assert.deepEqual(
    (await api.eventsOf(id)).map(({ type }) => type),
    ["scrape.started", "scrape.canceled"],
  );
});

test("what waits for delivery of a deleted job ends, and its cancellation is still told", async (t) => {
  const api = await startWebhooks(t, { source: steadySource() });
  const eventTypes = ["scrape.started", "scrape.canceled"];
  const { id: endpointId, uuid: endpoint } = await api.givenEndpoint({ event_types: eventTypes });
  const { body } = await api.call("/api/v1/scrapes", {
    key: api.key,
    json: { operation: "places.search", input: { q: "coffee in Vaduz", webhook_endpoint_id: endpointId } },
    headers: { "Idempotency-Key": newUuid() },
  });
  const jobUuid = uuidFromId("job", body["data"].id) ?? "";
  await api.givenEvent(endpoint, { resource: { type: "scrape_job", id: jobUuid } });
  await api.givenEvent(endpoint);

  await api.send("DELETE", `/scrapes/${body["data"].id}`);

  const statuses = async () =>
    (await api.deliveries(endpointId)).map(({ event_type: type, resource, status }) => [
      type,
      resource.id === jobUuid,
      status,
    ]);
  assert.deepEqual(await statuses(), [
    ["scrape.canceled", true, "pending"],
    ["scrape.started", false, "pending"],
    ["scrape.started", true, "terminated"],
  ]);
  await api.dispatcher.drain();
  assert.deepEqual((await statuses())[0], ["scrape.canceled", true, "delivered"]);
});

test("a job is deleted by its own organization's keys of its environment alone", async (t) => {
  const api = await startExports(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { text: foreign } = await api.givenKey({ environment: "live" });
  const { id } = (await api.create(key)).body["data"];
  const remove = (path: string, as: string) => api.call(`/api/v1/scrapes/${path}`, { key: as, method: "DELETE" });

  const refused = [await remove(id, foreign), await remove(newId("job"), key), await remove("nonsense", key)];

  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 404, 404],
  );
  assert.equal((await api.read(key, id)).status, 200);
});
