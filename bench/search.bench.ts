// Searches over HTTP with a live key, each asked once, beside a plain route that returns the same bytes:
// npm run bench -- search [--places 1000000] [--layout sparse|dense] [--questions 500]
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importItems } from "../server/src/data-sets/import.ts";
import { readIndexStatus } from "../server/src/place-index/file/index.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import type { PlaceRecord } from "../server/src/places/record.ts";
import type { Database } from "../server/src/platform/postgres/database.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { percentile } from "./figures.ts";
import { withDatabase } from "./places/database.ts";
import { numberAfter } from "./places/measure.ts";
import { type Layout, randomFrom } from "./places/synthetic.ts";
import { type Answering, openBareRoute, openService } from "./search/service.ts";
import { usageOf } from "./search/usage.ts";
import { makeQuestions, makeWorld, type Question, questionClasses } from "./search/world.ts";

/** Until the code of a new process is warm. */
const warmingQuestions = 6_000;
const sampleMax = 100_000;

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 1_000_000);
  const questions = numberAfter(words, "--questions", 500);
  const only = words.includes("--layout") ? words[words.indexOf("--layout") + 1] : undefined;
  for (const layout of ["sparse", "dense"] as const) {
    if (only === undefined || only === layout) await measure(layout, { count, questions });
  }
}

async function measure(layout: Layout, { count, questions }: { count: number; questions: number }): Promise<void> {
  await withDatabase(async ({ connection, db, folder }) => {
    const world = makeWorld(layout, count);
    const sample = [...world.places(sampleMax)];
    const { signal } = new AbortController();
    const began = performance.now();
    await importItems({ name: "bench", origin: "synthetic" }, world.items(), {
      connection,
      clock: systemClock,
      signal,
    });
    const importMs = performance.now() - began;
    const service = await openService(connection, folder);
    const postmaster = Number.parseInt(await readFile(join(folder, "postgres/cluster/postmaster.pid"), "utf8"), 10);
    const processes = [service.pid, postmaster];
    const index = readIndexStatus(join(folder, "index"))?.bytes ?? 0;
    console.log(`${layout}, ${count.toLocaleString("en-US")} places`);
    console.log(`  imported in ${seconds(importMs)}; the service ready ${seconds(service.readyMs)} after its start`);
    console.log(`  place index of ${Math.round(index / count)} bytes a place; ${await memoryOf(processes)}`);

    try {
      await askClasses(service, processes, { db, sample, questions });
    } finally {
      await service.stop();
    }
  });
}

type Asking = { db: Database; sample: readonly PlaceRecord[]; questions: number };

async function askClasses(
  service: Answering,
  processes: readonly number[],
  { db, sample, questions }: Asking,
): Promise<void> {
  const random = randomFrom(5);
  const perClass = Math.ceil(warmingQuestions / questionClasses.length);
  for (const each of questionClasses) await askAll(service, makeQuestions(each, perClass, sample, random), 4);
  const bytes = await bytesOf(db);
  for (const each of questionClasses) {
    console.log(`  ${each.name}`);
    const one = makeQuestions(each, questions, sample, random);
    const eight = makeQuestions(each, questions, sample, random);
    const bare = await openBareRoute(await service.read(one[0] ?? { q: each.name }));
    for (const [name, answering, pids] of [
      ["service", service, processes],
      ["bare route", bare, [bare.pid]],
    ] as const) {
      print(name, await askAll(answering, one, 1, pids), await askAll(answering, eight, 8, pids));
    }
    await bare.stop();
  }
  const grown = ((await bytesOf(db)) - bytes) / (2 * questions * questionClasses.length);
  console.log(`  ${await memoryOf(processes)}; the database grew by ${Math.round(grown)} bytes a search`);
}

type Asked = { times: readonly number[]; answered: number; processorMs: number };

/** Asks each question once, by so many clients at a time. */
async function askAll(
  { ask }: Answering,
  questions: readonly Question[],
  clients: number,
  pids: readonly number[] = [],
): Promise<Asked> {
  const before = await usageOf(pids);
  const times: number[] = [];
  let [next, answered] = [0, 0];
  const client = async () => {
    for (let question = questions[next++]; question; question = questions[next++]) {
      const began = performance.now();
      if ((await ask(question)) > 0) answered += 1;
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const { processorMs } = await usageOf(pids);
  return { times, answered, processorMs: processorMs - before.processorMs };
}

function print(name: string, one: Asked, eight: Asked) {
  const asked = one.times.length + eight.times.length;
  const [p50, p99, p99OfEight] = [
    percentile(one.times, 0.5),
    percentile(one.times, 0.99),
    percentile(eight.times, 0.99),
  ].map((ms) => ms.toFixed(1));
  const processor = ((one.processorMs + eight.processorMs) / asked).toFixed(2);
  const answered = Math.round((100 * (one.answered + eight.answered)) / asked);
  console.log(
    `    ${name.padEnd(11)} p50 ${p50} ms, p99 ${p99} ms, with eight clients ${p99OfEight} ms; processor ${processor} ms; ${answered} % answered`,
  );
}

async function memoryOf(pids: readonly number[]): Promise<string> {
  return `${Math.round((await usageOf(pids)).bytes / 1e6)} MB of memory with its PostgreSQL`;
}

async function bytesOf(db: Database): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`);
  return rows[0]?.bytes ?? 0;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(0)} s`;
}
