// How the catalog's costs grow with its places: npm run bench -- scale [--places 1000000] [--questions 300]
// Beyond a million places, a million are measured first in the same run.
import { systemClock } from "../server/src/platform/clock.ts";
import type { Connection, Database } from "../server/src/platform/postgres/database.ts";
import { sql } from "../server/src/platform/postgres/sql.ts";
import { importItems } from "../server/src/data-sets/import.ts";
import type { PlaceRecord } from "../server/src/places/record.ts";
import { percentile } from "./figures.ts";
import { withDatabase } from "./places/database.ts";
import { numberAfter } from "./places/measure.ts";
import { openCatalog } from "./places/open-catalog.ts";
import { makeQuestions } from "./places/questions.ts";
import { itemsOf, makePlaces, makeTowns, pick, randomFrom } from "./places/synthetic.ts";
import { type Answers, askInProcess, type Question } from "./scale/asking.ts";
import { timeFirstSearch } from "./scale/first-search.ts";
import { watchTransactions } from "./scale/longest-transaction.ts";

const baseline = 1_000_000;
const addedCount = 1_000;
/** Answers that the warm rounds take their percentiles from. */
const warmRounds = 2;
/** A round takes no longer than this, so that the whole run ends; fewer questions are asked then. */
const secondsMax = 45;

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", baseline);
  const questions = numberAfter(words, "--questions", 300);
  const before = count > baseline ? await measure(baseline, questions) : undefined;
  const after = await measure(count, questions);
  if (!before) return;
  console.log(`p50 at ${spell(count)} places against ${spell(baseline)}`);
  for (const [kind, { cold, warm }] of after) {
    const against = before.get(kind) ?? { cold: 0, warm: 0 };
    const times = `cold x ${(cold / against.cold).toFixed(2)}   warm x ${(warm / against.warm).toFixed(2)} (at most 1.5 promised)`;
    console.log(`  ${kind.padEnd(24)} ${times}`);
  }
}

/** The p50 of questions asked for the first time, and of the same asked again. */
type Medians = { cold: number; warm: number };

/** Resolves to the medians of each kind of question. */
async function measure(count: number, questions: number): Promise<Map<string, Medians>> {
  return withDatabase(async ({ connection, db, folder }) => {
    console.log(`${spell(count)} places`);
    const towns = makeTowns("sparse", randomFrom(1));
    const places = () => makePlaces(count, towns, randomFrom(2));
    const sample = [...makePlaces(Math.min(count, 50_000), towns, randomFrom(2))];

    const imported = await timed(() => watchTransactions(db, () => load(connection, "bench", places())));
    const { longestMs, statement } = imported.result;
    print("first import", `${(imported.ms / 1_000).toFixed(1)} s`);
    print("  its longest transaction", `${(longestMs / 1_000).toFixed(1)} s, in ${statement}`);
    const filled = { connection, folder };
    const { ms: buildMs, result: catalog } = await timed(() => openCatalog({ ...filled, db }));
    const [tables, file] = [await bytesOf(db), catalog.indexBytes()];
    print("place index", `${(buildMs / 1_000).toFixed(1)} s to build, ${Math.round(file / count)} bytes a place`);
    print("size on disk", `${(tables / 1e9).toFixed(2)} GB, and ${(file / 1e9).toFixed(2)} GB of place index`);
    const village = [{ name: "Farville", latitude: -20.5, longitude: 30.5, radiusDegrees: 0.02 }];
    const added = await timed(() =>
      load(connection, "added", renumbered(makePlaces(addedCount, village, randomFrom(9)))),
    );
    const shown = await timed(() => catalog.caughtUp());
    print(
      `add ${spell(addedCount)} elsewhere`,
      `${(added.ms / 1_000).toFixed(2)} s, and ${(shown.ms / 1_000).toFixed(2)} s until searches find them`,
    );
    const [cold, warmed] = [
      await timeFirstSearch(filled, { isWarmed: false }),
      await timeFirstSearch(filled, { isWarmed: true }),
    ];
    print("first search after start", `${cold.searchMs.toFixed(0)} ms with nothing loaded (at most 300 promised)`);
    print(
      "  once the process is ready",
      `${warmed.searchMs.toFixed(0)} ms; loading took ${warmed.warmMs.toFixed(0)} ms`,
    );

    const answers = await measureCatalog({ ...filled, questions: questionsFor(sample, questions) });
    await catalog.close();
    return mediansOf(answers);
  });
}

function mediansOf(answers: readonly Answers[]): Map<string, Medians> {
  return new Map(answers.map(({ title, cold, warm }) => [title, { cold: median(cold), warm: median(warm) }]));
}

function questionsFor(sample: readonly PlaceRecord[], count: number): Question[] {
  const near = (kind: "category" | "prefix" | "typo") => makeQuestions(kind, count, sample, randomFrom(5));
  const random = randomFrom(6);
  return [
    { title: "category near a point", asked: near("category") },
    { title: "prefix near a point", asked: near("prefix") },
    { title: "typo near a point", asked: near("typo") },
    {
      title: "name anywhere",
      asked: Array.from({ length: count }, () => {
        const { name, latitude, longitude } = pick(sample, random);
        return { kind: "name", q: name, category: "", latitude, longitude, zoom: 0 };
      }),
    },
  ];
}

/** Asks in a process of its own. */
async function measureCatalog(task: {
  connection: Connection;
  folder: string;
  questions: readonly Question[];
}): Promise<Answers[]> {
  const asking = await askInProcess({ ...task, warmRounds, secondsMax });
  for (const { title, cold, warm, found, trimmed } of asking.answers) {
    const all = cold.length + warm.length;
    const outcome = `${((found / all) * 100).toFixed(0)} % found, ${((trimmed / all) * 100).toFixed(0)} % trimmed of ${all}`;
    print(title, `cold ${spread(cold)}   warm ${spread(warm)}   ${outcome}`);
  }
  print("memory of the process", `${megabytes(asking.endBytes)}, ${megabytes(asking.peakBytes)} at most`);
  return asking.answers;
}

async function load(connection: Connection, name: string, places: Iterable<PlaceRecord>) {
  const { signal } = new AbortController();
  return importItems({ name, origin: "synthetic" }, itemsOf(places), { connection, clock: systemClock, signal });
}

function* renumbered(places: Iterable<PlaceRecord>): Iterable<PlaceRecord> {
  for (const place of places) yield { ...place, sourceId: `${place.sourceId}-added` };
}

async function bytesOf(db: Database): Promise<number> {
  const { rows } = await db.query<{ bytes: number }>(sql`
    select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint as bytes
    from pg_class c
    where c.relkind = 'r' and c.relname like 'catalog_%'
  `);
  return rows[0]?.bytes ?? 0;
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const began = performance.now();
  const result = await work();
  return { ms: performance.now() - began, result };
}

function spread(values: readonly number[]): string {
  return `${median(values).toFixed(2)} / ${percentile(values, 0.99).toFixed(2)} ms`;
}

function print(title: string, figures: string) {
  console.log(`  ${title.padEnd(28)} ${figures}`);
}

function spell(count: number): string {
  return count.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
