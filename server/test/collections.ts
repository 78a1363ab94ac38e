import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newUuid, uuidFromId } from "../src/platform/ids.ts";
import { sql } from "../src/platform/postgres/sql.ts";
import type { Answered } from "./harness.ts";
import { startExports } from "./exports.ts";

type Options = NonNullable<Parameters<typeof startExports>[1]>;

/** The API with what stories about collections need. */
export async function startCollections(t: TestContext, options: Options = {}) {
  const api = await startExports(t, options);
  const { call, db } = api;

  function collect(key: string, json: object = {}, idempotencyKey: string = newUuid()) {
    const body = { q: "dentist", area: { bbox: [47, 9, 48, 10] }, max_units: 1_000, ...json };
    return call("/api/v1/collections", { key, json: body, headers: { "Idempotency-Key": idempotencyKey } });
  }

  const readCollection = (key: string, id: string) => call(`/api/v1/collections/${id}`, { key });
  const control = (key: string, id: string, verb: "pause" | "resume" | "cancel") =>
    call(`/api/v1/collections/${id}/${verb}`, { key, method: "POST" });

  /** Reads a collection until it is as wanted. */
  async function untilCollection(
    key: string,
    id: string,
    isWanted: (collection: Answered["body"]) => boolean,
    seconds = 240,
  ) {
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const { body } = await readCollection(key, id);
      if (isWanted(body["data"])) return body["data"];
      assert.ok(Date.now() < deadline, `still ${JSON.stringify(body["data"])} after ${seconds} s`);
      await sleep(20);
    }
  }

  const ended = (key: string, id: string) =>
    untilCollection(key, id, ({ status }) => !["queued", "running", "paused"].includes(status));

  /** Every record of a collection, read page by page. */
  async function recordsOf(key: string, id: string): Promise<any[]> {
    const records: any[] = [];
    for (let cursor = ""; ;) {
      const { body } = await call(`/api/v1/collections/${id}/results?limit=100${cursor}`, { key });
      records.push(...body["data"].records);
      const next = body["data"].next_cursor;
      if (next === null || body["data"].records.length === 0) return records;
      cursor = `&cursor=${next}`;
    }
  }

  async function cellsOf(key: string, id: string): Promise<any[]> {
    return (await call(`/api/v1/collections/${id}/coverage`, { key })).body["data"].features;
  }

  async function collectionEvents(id: string) {
    const { rows } = await db.query<{ body: string }>(sql`
      select body
      from webhook_events
      where resource_id = ${uuidFromId("col", id)}
      order by sequence
    `);
    return rows.map(({ body }) => JSON.parse(body));
  }

  return {
    ...api,
    collect,
    readCollection,
    control,
    untilCollection,
    collected: ended,
    recordsOf,
    cellsOf,
    collectionEvents,
  };
}
