import assert from "node:assert/strict";
import { once } from "node:events";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newUuid, uuidFromId } from "../src/platform/ids.ts";
import { sql } from "../src/platform/postgres/sql.ts";
import type { Place } from "../src/places/place.ts";
import type { Source, SourceQuery } from "../src/sources/source.ts";
import { type Answered, startApi } from "./harness.ts";
import { aPlace } from "./place.ts";

type Options = NonNullable<Parameters<typeof startApi>[1]>;

/** The API with what stories about jobs need. */
export async function startScrapes(t: TestContext, options: Options = {}) {
  const api = await startApi(t, options);
  const { call, db } = api;

  function create(key: string, input: object = {}, headers: Record<string, string> = {}, operation = "places.search") {
    const json = { operation, input: { q: "coffee in Vaduz", ...input } };
    return call("/api/v1/scrapes", { key, json, headers: { "Idempotency-Key": newUuid(), ...headers } });
  }

  const read = (key: string, jobId: string) => call(`/api/v1/scrapes/${jobId}`, { key });
  const results = (key: string, jobId: string, query = "") => call(`/api/v1/scrapes/${jobId}/results${query}`, { key });
  const cancel = (key: string, jobId: string, idempotencyKey: string = newUuid()) =>
    call(`/api/v1/scrapes/${jobId}/cancel`, { key, method: "POST", headers: { "Idempotency-Key": idempotencyKey } });

  /** Reads a job until it is as wanted. */
  async function until(key: string, jobId: string, isWanted: (job: Answered["body"]) => boolean, seconds = 20) {
    const deadline = Date.now() + seconds * 1_000;
    for (;;) {
      const { body } = await read(key, jobId);
      if (isWanted(body["data"])) return body["data"];
      assert.ok(Date.now() < deadline, `still ${JSON.stringify(body["data"])} after ${seconds} s`);
      await sleep(20);
    }
  }

  const ended = (key: string, jobId: string) =>
    until(key, jobId, ({ status }) => status !== "queued" && status !== "running");

  /** Reads the results until there are so many, and resolves to the names in them. */
  async function stored(key: string, jobId: string, count: number): Promise<string[]> {
    for (let left = 1_000; left > 0; left -= 1) {
      const { records } = (await results(key, jobId)).body["data"];
      if (records.length >= count) return records.map((record: any) => record.place.name);
      await sleep(20);
    }
    throw new Error(`there are still fewer than ${count} results`);
  }

  /** What the events of a job say, in order. */
  async function eventsOf(jobId: string) {
    const { rows } = await db.query<{ type: string; sequence: number; body: string }>(sql`
      select type, sequence, body
      from webhook_events
      where resource_id = ${uuidFromId("job", jobId)}
      order by sequence
    `);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      rows.map((_, index) => index + 1),
      "sequences have no gap",
    );
    return rows.map(({ type, body }) => ({ type, body: JSON.parse(body) }));
  }

  /** Moves a job's lease and due time into the past, as if that much time had gone by. */
  async function age(jobId: string, seconds: number) {
    await db.query(sql`
      update scrapes
      set run_at = run_at - make_interval(secs => ${seconds}),
        lease_until = lease_until - make_interval(secs => ${seconds})
      where id = ${uuidFromId("job", jobId)}
    `);
  }

  return { ...api, create, read, results, cancel, until, ended, stored, eventsOf, age };
}

/** A source that answers at once with what it is given. */
export function steadySource(listings: readonly Place[] = [aPlace(), aPlace(), aPlace()]): Source {
  const verdict = listings.length === 0 ? "empty" : "ok";
  return { name: "steady", search: async () => ({ listings, verdict }) };
}

/** A source that a test plays itself: each call waits for its turn and ends as it is told. */
export function playedSource() {
  const calls: { query: SourceQuery; signal: AbortSignal; answer: PromiseWithResolvers<readonly Place[]> }[] = [];
  const arrivals = new EventTarget();

  const source: Source = {
    name: "played",
    async search(query, signal) {
      const answer = Promise.withResolvers<readonly Place[]>();
      signal.addEventListener("abort", () => answer.reject(signal.reason), { once: true });
      calls.push({ query, signal, answer });
      arrivals.dispatchEvent(new Event("call"));
      return { listings: await answer.promise, verdict: "ok" };
    },
  };

  /** Resolves to the call with this number, counted from 1, once it has come. */
  async function called(number: number) {
    while (calls.length < number) await once(arrivals, "call", { signal: AbortSignal.timeout(20_000) });
    const call = calls[number - 1];
    assert.ok(call);
    return call;
  }

  return { source, called, calls };
}
