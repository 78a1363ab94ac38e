import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { expireExports, removeUnnamedFiles, sweepExports } from "../src/domains/exports/index.ts";
import { newUuid, uuidFromId } from "../src/platform/ids.ts";
import { sql } from "../src/platform/postgres/sql.ts";
import { startScrapes } from "./scrapes.ts";

type Options = NonNullable<Parameters<typeof startScrapes>[1]>;

/** The API with what stories about exports need. */
export async function startExports(t: TestContext, options: Options = {}) {
  const api = await startScrapes(t, options);
  const { call, db } = api;

  const createExport = (key: string, json: object, idempotencyKey: string = newUuid()) =>
    call("/api/v1/exports", { key, json, headers: { "Idempotency-Key": idempotencyKey } });
  const readExport = (key: string, id: string) => call(`/api/v1/exports/${id}`, { key });

  /** The id of a finished job with results. */
  async function givenJob(key: string, input: object = {}): Promise<string> {
    const { status, body } = await api.create(key, input);
    assert.ok(status === 200 || status === 202, JSON.stringify(body));
    return (await api.ended(key, body["data"].id)).id;
  }

  /** Reads an export until it has ended. */
  async function finished(key: string, id: string, seconds = 30) {
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const { data } = (await readExport(key, id)).body;
      if (data.status !== "queued" && data.status !== "running") return data;
      assert.ok(Date.now() < deadline, `still ${JSON.stringify(data)} after ${seconds} s`);
      await sleep(20);
    }
  }

  /** Makes a test key, a job and its export. */
  async function givenExport(format = "csv") {
    const { text: key } = await api.givenKey();
    const jobId = await givenJob(key);
    const { body } = await createExport(key, { job_id: jobId, format });
    return { key, jobId, data: body["data"] };
  }

  const download = (url: string, init: RequestInit = {}) => fetch(url, init);

  /** Moves an export's lease and due time into the past, as if that much time had gone by. */
  async function ageExport(id: string, seconds: number) {
    await db.query(sql`
      update exports
      set run_at = run_at - make_interval(secs => ${seconds}),
        lease_until = lease_until - make_interval(secs => ${seconds})
      where id = ${uuidFromId("exp", id)}
    `);
  }

  /** What the events of an export say. */
  async function exportEvents(id: string) {
    const { rows } = await db.query<{ body: string }>(sql`
      select body
      from webhook_events
      where resource_id = ${uuidFromId("exp", id)}
      order by sequence
    `);
    return rows.map(({ body }) => JSON.parse(body));
  }

  /** The names of all files that are kept. */
  async function storedKeys(): Promise<string[]> {
    const keys = [];
    for await (const { key } of api.files.storage.list()) keys.push(key);
    return keys;
  }

  /** What a worker's loops do about exports, once. */
  async function runRetention() {
    const now = api.clock.now();
    while ((await expireExports(db, now)) > 0);
    while ((await sweepExports(db, now, 30)) > 0);
    while ((await removeUnnamedFiles(db, api.files, now)) > 0);
  }

  return {
    ...api,
    storedKeys,
    runRetention,
    createExport,
    readExport,
    givenJob,
    finished,
    givenExport,
    download,
    ageExport,
    exportEvents,
  };
}
