// Search over the catalog beside the same questions as plain SQL and in SQLite, on one synthetic data
// set: npm run bench -- search [--places 1000000] [--seconds 5] [--layout sparse|dense]
import { systemClock } from "../server/src/platform/clock.ts";
import { importItems } from "../server/src/sources/catalog/import/index.ts";
import { createCatalog } from "../server/src/sources/catalog/index.ts";
import { withDatabase } from "./places/database.ts";
import { measure, type Measured, numberAfter } from "./places/measure.ts";
import { type Asked, makeQuestions } from "./places/questions.ts";
import { openSqlBaseline } from "./places/sql-baseline.ts";
import { openSqliteBaseline } from "./places/sqlite-baseline.ts";
import { itemsOf, type Layout, makePlaces, makeTowns, randomFrom } from "./places/synthetic.ts";

const questionKinds: readonly Asked["kind"][] = ["category", "prefix", "typo"];

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 1_000_000);
  const seconds = numberAfter(words, "--seconds", 5);
  const only = words.includes("--layout") ? words[words.indexOf("--layout") + 1] : undefined;
  console.log(`${count.toLocaleString("en-US")} places; queries per second, then p50 / p99 in ms; ratio to bare SQL`);
  for (const layout of ["sparse", "dense"] as const) {
    if (only === undefined || only === layout) await compare(layout, count, seconds);
  }
}

async function compare(layout: Layout, count: number, seconds: number): Promise<void> {
  await withDatabase(async ({ connection, db, folder }) => {
    const towns = makeTowns(layout, randomFrom(1));
    const places = () => makePlaces(count, towns, randomFrom(2));
    const sample = [...makePlaces(Math.min(count, 50_000), towns, randomFrom(2))];
    const { signal } = new AbortController();
    await importItems({ name: layout, origin: "synthetic" }, itemsOf(places()), {
      connection,
      clock: systemClock,
      signal,
    });
    const catalog = createCatalog({ db });
    const sql = await openSqlBaseline(connection, places());
    const sqlite = openSqliteBaseline(folder, places());

    const ours = async ({ q, latitude, longitude, zoom }: Asked) => {
      const ll = `@${latitude},${longitude},${zoom}z`;
      return (await catalog.search({ q, ll, page: 1, hl: "en", extra: false }, signal)).listings.length;
    };
    // Measured warm, as a service that has run for a while is; the databases have their caches too.
    for (const asked of makeQuestions("category", 2_000, towns, sample, randomFrom(4))) await ours(asked);
    for (const kind of questionKinds) {
      for (const clients of [1, 8]) {
        const measured: Measured[] = [];
        for (const ask of [ours, sql.ask, sqlite.ask]) {
          const questions = makeQuestions(kind, 2_000, towns, sample, randomFrom(3));
          let next = 0;
          // In SQLite's case a second client would only wait for the first: it answers in this very thread.
          measured.push(await measure(seconds, ask === sqlite.ask ? 1 : clients, () => ask(turn(questions, next++))));
        }
        print(layout, kind, clients, measured);
      }
    }
    await sql.close();
    sqlite.close();
  });
}

function print(layout: Layout, kind: string, clients: number, [ours, sql, sqlite]: readonly Measured[]) {
  const ratio = ((ours?.perSecond ?? 0) / (sql?.perSecond ?? 1)).toFixed(2);
  console.log(
    [
      `${layout} ${kind}, ${clients} client${clients > 1 ? "s" : ""}`.padEnd(26),
      shown("catalog", ours),
      shown("SQL", sql),
      shown("SQLite", sqlite),
      `x ${ratio}`,
    ].join("  "),
  );
}

function shown(name: string, it: Measured | undefined): string {
  if (!it) return "";
  const rate = Math.round(it.perSecond).toLocaleString("en-US").padStart(6);
  return `${name} ${rate}/s  ${it.p50.toFixed(2)} / ${it.p99.toFixed(2)}  (${it.hits.toFixed(1)} found)`;
}

function turn<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("There is nothing to ask.");
  return item;
}
