import assert from "node:assert/strict";
import { test } from "node:test";
import { startExports } from "../../../test/exports.ts";
import { steadySource } from "../../../test/scrapes.ts";

test("a deleted export is gone at once, with its file and its links", async (t) => {
  const api = await startExports(t);
  const { key, jobId, data } = await api.givenExport("csv");
  assert.equal((await api.storedKeys()).length, 1);
  const remove = () => api.call(`/api/v1/exports/${data.id}`, { key, method: "DELETE" });

  const { status, body } = await remove();

  assert.equal(status, 200);
  assert.deepEqual(body["data"], { id: data.id, deleted: true });
  assert.deepEqual(await api.storedKeys(), []);
  assert.equal((await api.download(data.download_url)).status, 404);
  assert.equal((await api.readExport(key, data.id)).status, 404);
  assert.equal((await remove()).status, 404);
  assert.deepEqual((await api.call("/api/v1/exports", { key })).body["data"], []);
  assert.equal((await api.read(key, jobId)).status, 200, "the job stays");
});

test("an export that waits is deleted before a worker makes its file, and nobody else's key deletes it", async (t) => {
  const api = await startExports(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { text: foreign } = await api.givenKey({ environment: "live" });
  const worker = api.givenWorker();
  const jobId = await api.givenJob(key);
  await worker.stop();
  const { id } = (await api.createExport(key, { job_id: jobId, format: "csv" })).body["data"];
  const other = (await api.createExport(key, { job_id: jobId, format: "json" })).body["data"].id;
  const remove = (as: string) => api.call(`/api/v1/exports/${id}`, { key: as, method: "DELETE" });

  assert.equal((await remove(foreign)).status, 404);
  assert.equal((await remove(key)).status, 200);
  api.givenWorker();

  assert.equal((await api.finished(key, other)).status, "ready");
  assert.equal((await api.storedKeys()).length, 1);
});
