// Search over the catalog beside the same questions as plain SQL and in SQLite, on one synthetic data
// set: npm run bench -- search [--places 1000000] [--seconds 6] [--layout sparse|dense]
import { withDatabase } from "./places/database.ts";
import { openHttpSearch } from "./places/http-search.ts";
import { measureInTurns, numberAfter, type Turns } from "./places/measure.ts";
import { openCatalog } from "./places/open-catalog.ts";
import { type Asked, makeQuestions } from "./places/questions.ts";
import { openSqlBaseline } from "./places/sql-baseline.ts";
import { openSqliteBaseline } from "./places/sqlite-baseline.ts";
import { itemsOf, type Layout, makePlaces, makeTowns, randomFrom } from "./places/synthetic.ts";

const questionKinds = ["category", "prefix", "typo"] as const;
/** So many questions are asked again and again; others are asked only once. */
const againCount = 200;
const onceCount = 20_000;

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 1_000_000);
  const seconds = numberAfter(words, "--seconds", 6);
  const only = words.includes("--layout") ? words[words.indexOf("--layout") + 1] : undefined;
  console.log(`${count.toLocaleString("en-US")} places; answers per second, p50 / p99 in ms, how many were found`);
  for (const layout of ["sparse", "dense"] as const) {
    if (only === undefined || only === layout) await compare(layout, { count, seconds });
  }
}

type Settings = { count: number; seconds: number };

async function compare(layout: Layout, { count, seconds }: Settings): Promise<void> {
  await withDatabase(async ({ connection, db, folder }) => {
    const towns = makeTowns(layout, randomFrom(1));
    const places = () => makePlaces(count, towns, randomFrom(2));
    const sample = [...makePlaces(Math.min(count, 50_000), towns, randomFrom(2))];
    const { signal } = new AbortController();
    const catalog = await openCatalog({ connection, db, folder }, itemsOf(places()));
    await catalog.warm(signal);
    const sql = await openSqlBaseline(connection, places);
    const sqlite = openSqliteBaseline(folder, places());
    const http = await openHttpSearch(connection, folder);
    const search = async ({ q, latitude, longitude, zoom }: Asked) => {
      const ll = `@${latitude},${longitude},${zoom}z`;
      return (await catalog.search({ q, ll, page: 1, hl: "en", extra: false }, signal)).listings.length;
    };

    // The code is warm, as in a service that has run for a while; the databases have their caches too.
    for (const asked of makeQuestions("category", 2_000, sample, randomFrom(4))) await search(asked);
    for (const kind of questionKinds) {
      const again = makeQuestions(kind, againCount, sample, randomFrom(3));
      const once = makeQuestions(kind, onceCount, sample, randomFrom(5));
      // Twice: the first answer to each over HTTP also stores the businesses that nobody had met.
      for (const ask of [search, sql.askAndCharge, sqlite.ask, http.ask, http.ask])
        for (const asked of again) await ask(asked);
      let asked = 0;
      for (const clients of [1, 8]) {
        const turn = (ask: (question: Asked) => Promise<number>, questions: readonly Asked[], by = clients) => ({
          clients: by,
          ask: () => ask(questions[(asked += 1) % questions.length] as Asked),
        });
        const turns = await measureInTurns(seconds, [
          turn(search, once),
          turn(search, again),
          turn(sql.ask, again),
          // In SQLite's case a second client would only wait for the first: it answers in this very thread.
          turn(sqlite.ask, again, 1),
          turn(http.ask, again),
          turn(sql.askAndCharge, again),
          turn(sql.ask, once),
          turn(sqlite.ask, once, 1),
        ]);
        print(`${layout} ${kind}, ${clients} client${clients > 1 ? "s" : ""}`, turns);
      }
    }
    await http.close();
    await catalog.close();
    await sql.close();
    sqlite.close();
  });
}

const names = [
  "catalog, asked once",
  "catalog, asked again",
  "bare SQL",
  "SQLite",
  "HTTP",
  "bare SQL and a charge",
  "bare SQL, asked once",
  "SQLite, asked once",
];

const [once, again, sql, sqlite, http, paid, sqlOnce, sqliteOnce] = [0, 1, 2, 3, 4, 5, 6, 7] as const;

function print(title: string, { figures, ratio }: Turns) {
  console.log(title);
  figures.forEach(({ perSecond, p50, p99, hits }, index) => {
    const rate = Math.round(perSecond).toLocaleString("en-US").padStart(7);
    const times = `${p50.toFixed(2)} / ${p99.toFixed(2)}`.padStart(16);
    console.log(`  ${(names[index] ?? "").padEnd(22)} ${rate}/s ${times}  ${hits.toFixed(1).padStart(5)} found`);
  });
  const times = (ours: number, theirs: number) => `x ${ratio(ours, theirs).toFixed(2)}`;
  console.log(
    `  catalog ${times(again, sql)} of bare SQL, ${times(again, sqlite)} of SQLite; ` +
      `HTTP ${times(http, sql)} of bare SQL, ${times(http, paid)} with a charge (at least 0.6); ` +
      `asked once ${times(once, sqlOnce)} of bare SQL, ${times(once, sqliteOnce)} of SQLite (at least 1)`,
  );
}
