// Asks the questions in a process of its own, so that its memory is that of a catalog and nothing else.
import { fork } from "node:child_process";
import { silentLog } from "../../server/src/platform/log.ts";
import type { Sample } from "../../server/src/platform/meters.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { createCatalog } from "../../server/src/sources/catalog/catalog.ts";
import { openCatalog } from "../places/open-catalog.ts";
import type { Asked } from "../places/questions.ts";

export type Question = { title: string; asked: readonly Asked[] };

type Task = {
  connection: Connection;
  /** Of a database whose catalog is empty. */
  emptyConnection: Connection;
  memoryMb: number;
  questions: readonly Question[];
  /** How often each is asked again. */
  warmRounds: number;
  /** No further question of a round is asked after this time. */
  secondsMax: number;
};

/** The times of one kind of question in milliseconds, and the places on the first page of each. */
export type Answers = {
  title: string;
  cold: number[];
  warm: number[];
  pages: string[];
  found: number;
  trimmed: number;
};

export type Asking = {
  answers: Answers[];
  /**
   * What the catalog says that it keeps, and the process's resident size above its idle one: that of a process that
   * has answered from an empty catalog.
   */
  countedBytes: number;
  endBytes: number;
  peakBytes: number;
};

export async function askInProcess(task: Task): Promise<Asking> {
  const flags = await serviceFlagsFor(task.memoryMb);
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { execArgv: [...process.execArgv, ...flags, "--expose-gc"] });
    child.once("message", (asking) => resolve(asking as Asking));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The process that asks ended with ${code}.`)));
    child.send(task);
  });
}

/** Those that the service runs with. */
async function serviceFlagsFor(memoryMb: number): Promise<string[]> {
  const path = new URL("../../cli/bin/service-flags.js", import.meta.url).href;
  const { serviceFlags } = (await import(path)) as { serviceFlags(environment: NodeJS.ProcessEnv): string[] };
  return serviceFlags({ WAYPOST_CATALOG_MEMORY: String(memoryMb) });
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once("message", (task) => {
    void ask(task as Task).then((asking) => process.send?.(asking, () => process.disconnect()));
  });
}

async function ask({
  connection,
  emptyConnection,
  memoryMb,
  questions,
  warmRounds,
  secondsMax,
}: Task): Promise<Asking> {
  await askNothing(emptyConnection, questions);
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  await db.query(sql`select 1`);
  let readCounted: (() => number | undefined) | undefined;
  const catalog = openCatalog({
    db,
    memoryBytesMax: memoryMb * 1024 * 1024,
    meters: {
      counter: () => () => undefined,
      gauge(name, _help, _labels, read) {
        if (name === "waypost_catalog_cache_bytes") readCounted = () => (read() as readonly Sample[])[0]?.value;
      },
    },
  });
  globalThis.gc?.();
  const idleBytes = process.memoryUsage.rss();
  let peakBytes = 0;
  await catalog.warm(new AbortController().signal);

  const answers: Answers[] = [];
  for (const { title, asked } of questions) {
    const all: Answers = { title, cold: [], warm: [], pages: [], found: 0, trimmed: 0 };
    for (let round = 0; round <= warmRounds; round += 1) {
      const until = performance.now() + secondsMax * 1_000;
      for (const each of asked) {
        const began = performance.now();
        if (began > until) break;
        const { listings, verdict } = await catalog.search(queryOf(each), new AbortController().signal);
        (round === 0 ? all.cold : all.warm).push(performance.now() - began);
        if (round === 0) all.pages.push(listings.map(({ placeId }) => placeId).join());
        if (isAnswer(each, listings)) all.found += 1;
        if (verdict === "trimmed") all.trimmed += 1;
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss() - idleBytes);
      }
    }
    answers.push(all);
  }
  const asking = {
    answers,
    countedBytes: readCounted?.() ?? 0,
    endBytes: process.memoryUsage.rss() - idleBytes,
    peakBytes,
  };
  await db.end();
  return asking;
}

/** Loads what a process needs for any catalog: code, the terms of all languages, the world's towns. */
async function askNothing(connection: Connection, questions: readonly Question[]) {
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  const catalog = createCatalog({ db });
  const { signal } = new AbortController();
  await catalog.warm(signal);
  for (const each of questions.flatMap(({ asked }) => asked.slice(0, 1))) await catalog.search(queryOf(each), signal);
  await db.end();
}

export function queryOf({ kind, q, latitude, longitude, zoom }: Asked) {
  const ll = kind === "name" ? {} : { ll: `@${latitude},${longitude},${zoom}z` };
  return { q, page: 1, hl: "en", extra: false, ...ll };
}

function isAnswer({ kind, q }: Asked, listings: readonly { name?: string | null }[]): boolean {
  return kind === "name" ? listings.some(({ name }) => name === q) : listings.length > 0;
}
