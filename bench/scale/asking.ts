// Asks the questions in a process of its own, so that its memory is that of a catalog and nothing else.
import { fork } from "node:child_process";
import { silentLog } from "../../server/src/platform/log.ts";
import { type Connection, createDatabase } from "../../server/src/platform/postgres/database.ts";
import { openCatalog } from "../places/open-catalog.ts";
import type { Asked } from "../places/questions.ts";

export type Question = { title: string; asked: readonly Asked[] };

type Task = {
  connection: Connection;
  folder: string;
  questions: readonly Question[];
  /** How often each is asked again. */
  warmRounds: number;
  /** No further question of a round is asked after this time. */
  secondsMax: number;
};

/** The times of one kind of question in milliseconds, and how many were answered. */
export type Answers = {
  title: string;
  cold: number[];
  warm: number[];
  found: number;
  trimmed: number;
};

export type Asking = {
  answers: Answers[];
  /** The process's resident size. */
  endBytes: number;
  peakBytes: number;
};

export async function askInProcess(task: Task): Promise<Asking> {
  const flags = await readServiceFlags();
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, { execArgv: [...process.execArgv, ...flags] });
    child.once("message", (asking) => resolve(asking as Asking));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`The process that asks ended with ${code}.`)));
    child.send(task);
  });
}

/** Those that the service runs with. */
async function readServiceFlags(): Promise<string[]> {
  const path = new URL("../../cli/bin/service-flags.js", import.meta.url).href;
  const { serviceFlags } = (await import(path)) as { serviceFlags: string[] };
  return serviceFlags;
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.once("message", (task) => {
    void ask(task as Task).then((asking) => process.send?.(asking, () => process.disconnect()));
  });
}

async function ask({ connection, folder, questions, warmRounds, secondsMax }: Task): Promise<Asking> {
  const db = createDatabase({ connection, connectionsMax: 4, log: silentLog });
  let peakBytes = 0;
  const catalog = await openCatalog({ connection, db, folder });
  await catalog.warm(new AbortController().signal);

  const answers: Answers[] = [];
  for (const { title, asked } of questions) {
    const all: Answers = { title, cold: [], warm: [], found: 0, trimmed: 0 };
    for (let round = 0; round <= warmRounds; round += 1) {
      const until = performance.now() + secondsMax * 1_000;
      for (const each of asked) {
        const began = performance.now();
        if (began > until) break;
        const { listings, verdict } = await catalog.search(queryOf(each), new AbortController().signal);
        (round === 0 ? all.cold : all.warm).push(performance.now() - began);
        if (isAnswer(each, listings)) all.found += 1;
        if (verdict === "trimmed") all.trimmed += 1;
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      }
    }
    answers.push(all);
  }
  const endBytes = process.memoryUsage.rss();
  await catalog.close();
  await db.end();
  return { answers, endBytes, peakBytes };
}

export function queryOf({ kind, q, latitude, longitude, zoom }: Asked) {
  const ll = kind === "name" ? {} : { ll: `@${latitude},${longitude},${zoom}z` };
  return { q, page: 1, hl: "en", extra: false, ...ll };
}

function isAnswer({ kind, q }: Asked, listings: readonly { name?: string | null }[]): boolean {
  return kind === "name" ? listings.some(({ name }) => name === q) : listings.length > 0;
}
