import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startExports } from "../../../test/exports.ts";
import { steadySource } from "../../../test/scrapes.ts";
import { newUuid, uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { attemptsMax, lossesMax, unfinishedMax } from "./export.ts";
import { createExportQueue } from "./jobs.ts";
import { StorageFailed } from "./storage/storage.ts";

/** A queued live export, and no worker. */
async function givenQueued(t: TestContext, format = "csv") {
  const api = await startExports(t, { source: steadySource() });
  const worker = api.givenWorker();
  const { text: key } = await api.givenKey({ environment: "live" });
  const jobId = await api.givenJob(key);
  await worker.stop();
  const { body } = await api.createExport(key, { job_id: jobId, format });
  const id: string = body["data"].id;
  /** Lets every pause pass until the export has ended. */
  async function endedInTime() {
    for (let left = 1_500; left > 0; left -= 1) {
      const { data } = (await api.readExport(key, id)).body;
      if (data.status === "ready" || data.status === "failed") return data;
      await api.db.query(sql`update exports set run_at = now() where lease_until is null and finished_at is null`);
      await sleep(20);
    }
    throw new Error("the export has not ended");
  }

  async function attempts(): Promise<number> {
    const { rows } = await api.db.query<{ attempt: number }>(
      sql`select attempt from exports where id = ${uuidFromId("exp", id)}`,
    );
    return rows[0]?.attempt ?? 0;
  }

  return { ...api, key, id, endedInTime, attempts };
}

test("an export whose worker was killed is made whole by another, and the dead one's late file counts for nothing", async (t) => {
  const api = await givenQueued(t);
  const dead = createExportQueue(api.exportDeps);
  const [held] = await dead.claim(1, true);
  assert.ok(held);

  await api.ageExport(api.id, 60);
  api.givenWorker();
  const data = await api.finished(api.key, api.id);
  assert.equal(data.status, "ready");
  const before = await api.storedKeys();
  await dead.run(held, new AbortController().signal);

  assert.deepEqual(await api.storedKeys(), before);
  const again = (await api.readExport(api.key, api.id)).body["data"];
  assert.equal(again.sha256, data.sha256);
  assert.equal((await api.download(again.download_url)).status, 200);
  assert.equal((await api.exportEvents(api.id)).length, 1);
});

test("an export that keeps losing its workers fails as worker_lost", async (t) => {
  const api = await givenQueued(t);
  const queue = createExportQueue(api.exportDeps);

  for (let loss = 0; loss < lossesMax; loss += 1) {
    assert.equal((await queue.claim(1, true)).length, 1);
    await api.ageExport(api.id, 60);
  }
  assert.deepEqual(await queue.claim(1, true), []);

  const { data } = (await api.readExport(api.key, api.id)).body;
  assert.equal(data.status, "failed");
  assert.equal(data.error_code, "worker_lost");
  const [event] = await api.exportEvents(api.id);
  assert.equal(event.data.error_class, "worker_lost");
});

for (const format of ["csv", "xlsx", "parquet"]) {
  test(`a disk that is full while ${format} is written: retried, then failed with its reason, and no half file`, async (t) => {
    const api = await givenQueued(t, format);
    // Each attempt writes under a name of its own; all of them lead to a device that is always full.
    for (let token = 1; token <= attemptsMax * 2; token += 1) {
      await symlink("/dev/full", join(api.files.workFolder, `${uuidFromId("exp", api.id)}.${token}`));
    }
    api.givenWorker();

    const data = await api.endedInTime();

    assert.equal(data.status, "failed");
    assert.equal(data.error_code, "storage_full");
    assert.equal(data.download_url, undefined);
    assert.equal(await api.attempts(), attemptsMax);
    assert.deepEqual(await api.storedKeys(), []);
    const [event] = await api.exportEvents(api.id);
    assert.equal(event.data.status, "failed");
    assert.equal(event.data.error_class, "storage_full");
  });
}

test("a storage that is away: retried until it is back", async (t) => {
  const api = await givenQueued(t);
  const { storage } = api.files;
  let refusals = 2;
  const put: typeof storage.put = async (...given) => {
    refusals -= 1;
    if (refusals >= 0) throw new StorageFailed(new Error("connection refused"));
    return storage.put(...given);
  };
  Object.assign(api.files, { storage: { ...storage, put } });
  api.givenWorker();

  const data = await api.endedInTime();

  assert.equal(data.status, "ready");
  assert.equal(await api.attempts(), 3);
  assert.equal((await api.download(data.download_url)).status, 200);
});

test("a storage that stays away: failed with its reason", async (t) => {
  const api = await givenQueued(t);
  const put = () => Promise.reject(new StorageFailed(new Error("connection refused")));
  Object.assign(api.files, { storage: { ...api.files.storage, put } });
  api.givenWorker();

  const data = await api.endedInTime();

  assert.equal(data.status, "failed");
  assert.equal(data.error_code, "storage_unavailable");
});

test("an organization with many exports does not keep another waiting", async (t) => {
  const api = await givenQueued(t);
  const { jobId } = await (async () => {
    const { body } = await api.call(`/api/v1/exports/${api.id}`, { key: api.key });
    return { jobId: body["data"].job_id };
  })();
  for (let more = 0; more < 3; more += 1) await api.createExport(api.key, { job_id: jobId, format: "csv" });
  const worker = api.givenWorker();
  const { text: other } = await api.givenKey({ environment: "live" });
  const otherJob = await api.givenJob(other);
  await worker.stop();
  for (let more = 0; more < 3; more += 1) await api.createExport(api.key, { job_id: jobId, format: "csv" });
  const late = (await api.createExport(other, { job_id: otherJob, format: "csv" })).body["data"];
  const queue = createExportQueue(api.exportDeps);

  const claimed = await queue.claim(2, true);

  assert.equal(new Set(claimed.map(({ organizationId }) => organizationId)).size, 2);
  assert.ok(claimed.some(({ id }) => id === late.id));
});

test("the exports of an organization that wait are bounded; another's and a replay are not refused", async (t) => {
  const api = await givenQueued(t);
  const { job_id: jobId, id } = (await api.readExport(api.key, api.id)).body["data"];
  const wanted = { job_id: jobId, format: "csv" };
  const first = newUuid();
  await api.createExport(api.key, wanted, first);
  await api.db.query(sql`
    insert into exports (id, organization_id, environment, job_ids, format, status, request_id)
    select gen_random_uuid(), organization_id, environment, job_ids, format, status, request_id
    from exports, generate_series(1, ${unfinishedMax - 5})
    where id = ${uuidFromId("exp", id)}
  `);

  const answers = await Promise.all(Array.from({ length: 6 }, () => api.createExport(api.key, wanted)));
  const replayed = await api.createExport(api.key, wanted, first);
  const { text: other } = await api.givenKey();
  const elsewhere = await api.createExport(other, { job_id: await api.givenJob(other), format: "csv" });

  const statuses = answers.map(({ status }) => status).sort((one, next) => one - next);
  assert.deepEqual(statuses, [202, 202, 202, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  assert.equal(refused?.body["error"].code, "rate_limited");
  assert.equal(refused?.headers.get("retry-after"), "5");
  assert.match(refused?.body["error"].message, /^100 exports of the organization wait or run already/);
  assert.equal(replayed.status, 202);
  assert.equal(elsewhere.status, 200);
});
