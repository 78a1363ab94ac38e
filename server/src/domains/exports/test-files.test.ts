import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startExports } from "../../../test/exports.ts";
import { newUuid, uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { makeCreate } from "./create.ts";
import { createLinks } from "./downloads/links.ts";
import { createExportQueue, type ExportQueue } from "./jobs.ts";

test("two files of test keys are made at once, and those that wait too long are left to the workers", async (t) => {
  const api = await startExports(t);
  const { text: key } = await api.givenKey();
  const jobId = await api.givenJob(key);
  const verified = await api.verifier.verify(key);
  assert.ok(verified);
  const queue = createExportQueue(api.exportDeps);
  const release = Promise.withResolvers<void>();
  const begun: string[] = [];
  const run: ExportQueue["run"] = async (job, signal) => {
    begun.push(job.id);
    if (begun.length <= 2) await release.promise;
    return queue.run(job, signal);
  };
  const create = makeCreate({
    ...api.exportDeps,
    queue: { run, handBack: queue.handBack },
    links: createLinks({ secret: "secret", clock: api.clock }),
    testDeadlineMs: 1_000,
  });
  const createOne = () =>
    create(
      verified.principal,
      { job_id: jobId, format: "csv" },
      { idempotencyKey: newUuid(), requestId: "req_1", traceparent: null },
    );

  const first = [createOne(), createOne()];
  while (begun.length < 2) await sleep(5);
  const late = await createOne();
  release.resolve();
  await Promise.all(first);
  api.givenWorker();

  assert.equal(late.outcome, "simulated");
  assert.equal(late.export.status, "running");
  assert.ok(!begun.includes(late.export.id), "the third was not begun beside the two");
  for (const id of [...begun, late.export.id]) {
    assert.equal((await api.finished(key, id)).status, "ready");
    const { rows } = await api.db.query(sql`select attempt, losses from exports where id = ${uuidFromId("exp", id)}`);
    assert.deepEqual(rows, [{ attempt: 1, losses: 0 }]);
  }
});
