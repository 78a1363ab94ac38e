// Does a search find what it should? Synthetic towns whose right answers are known:
// npm run bench -- relevance [--places 40000] [--questions 300]. The right answers are the baseline: they
// are told apart by plain comparison of names and kinds, town by town.
import { systemClock } from "../server/src/platform/clock.ts";
import { importItems } from "../server/src/sources/catalog/import/index.ts";
import { createCatalog } from "../server/src/sources/catalog/index.ts";
import type { AreaRecord, RecordItem, PlaceRecord } from "../server/src/sources/open-data/record.ts";
import { withDatabase } from "./places/database.ts";
import { numberAfter } from "./places/measure.ts";
import { misspell, termOf } from "./places/questions.ts";
import { makePlaces, makeTowns, pick, randomFrom, type Town } from "./places/synthetic.ts";

type Judged = { q: string; ll?: string; right: ReadonlySet<string> };

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 40_000);
  const questions = numberAfter(words, "--questions", 300);
  await withDatabase(async ({ connection, db }) => {
    const random = randomFrom(5);
    const towns = makeTowns("sparse", randomFrom(1)).slice(0, 100);
    const places = [...makePlaces(count, towns, randomFrom(2))];
    const { signal } = new AbortController();
    await importItems({ name: "towns", origin: "synthetic" }, items(towns, places), {
      connection,
      clock: systemClock,
      signal,
    });
    const catalog = createCatalog({ db });

    console.log(`${count.toLocaleString("en-US")} places in ${towns.length} towns, ${questions} questions each`);
    for (const [name, make] of Object.entries(questionMakers(towns, places, random))) {
      let precision = 0;
      let recall = 0;
      let first = 0;
      for (let index = 0; index < questions; index += 1) {
        const { right, ...query } = make();
        const found = new Set<string>();
        const { listings } = await catalog.search({ ...query, page: 1, hl: "en", extra: false }, signal);
        for (const { placeId } of listings) found.add(placeId ?? "");
        const hits = [...found].filter((id) => right.has(id)).length;
        // Where fewer than a page are right, the rest of the page cannot be: what counts is that they are on it.
        precision += hits / Math.min(20, right.size);
        first += right.has(listings[0]?.placeId ?? "") ? 1 : 0;
        recall += (await recallOf(catalog, query, right, signal)) / right.size;
      }
      const shown = (sum: number) => `${((100 * sum) / questions).toFixed(1)} %`;
      console.log(
        `${name.padEnd(22)} precision at 20 ${shown(precision).padStart(8)}  recall ${shown(recall).padStart(8)}  right first ${shown(first).padStart(8)}`,
      );
    }
  });
}

function questionMakers(towns: readonly Town[], places: readonly PlaceRecord[], random: () => number) {
  const byTown = Map.groupBy(places, ({ address }) => address.city ?? "");
  const townOf = (record: PlaceRecord) => towns.find(({ name }) => name === record.address.city) ?? pick(towns, random);
  const near = (record: PlaceRecord) => {
    const { latitude, longitude } = townOf(record);
    return `@${latitude.toFixed(5)},${longitude.toFixed(5)},13z`;
  };
  const sameTown = (record: PlaceRecord, isRight: (other: PlaceRecord) => boolean) =>
    new Set((byTown.get(record.address.city ?? "") ?? []).filter(isRight).map(({ sourceId }) => sourceId));
  return {
    "category in a town": (): Judged => {
      const record = pick(places, random);
      const [category = ""] = record.categories;
      const right = sameTown(record, (other) => other.categories[0] === category);
      return { q: `${termOf(category)} in ${townOf(record).name}`, right };
    },
    name: (): Judged => {
      const record = pick(places, random);
      return { q: record.name, ll: near(record), right: sameTown(record, ({ name }) => name === record.name) };
    },
    prefix: (): Judged => {
      const record = pick(places, random);
      const prefix = longWord(record).slice(0, 5);
      const right = sameTown(record, ({ name }) =>
        name
          .toLowerCase()
          .split(" ")
          .some((word) => word.startsWith(prefix)),
      );
      return { q: prefix, ll: near(record), right };
    },
    "one typo in a name": (): Judged => {
      const record = pick(places, random);
      const word = longWord(record);
      return { q: misspell(word, random), ll: near(record), right: sameTown(record, hasWord(word)) };
    },
    "two typos in a name": (): Judged => {
      let record = pick(places, random);
      while (longWord(record).length < 8) record = pick(places, random);
      const word = longWord(record);
      return { q: misspell(misspell(word, random), random), ll: near(record), right: sameTown(record, hasWord(word)) };
    },
  };
}

function longWord(record: PlaceRecord): string {
  const words = record.name.toLowerCase().split(" ");
  return words.find((word) => word.length >= 5 && !isNoun(word)) ?? words[0] ?? "";
}

function hasWord(word: string) {
  return (other: PlaceRecord) => other.name.toLowerCase().split(" ").includes(word);
}

/** How many of the right ones are on any of the ten pages. */
async function recallOf(
  catalog: ReturnType<typeof createCatalog>,
  query: { q: string; ll?: string },
  right: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> {
  let hits = 0;
  for (let page = 1; page <= 10 && hits < right.size; page += 1) {
    const { listings } = await catalog.search({ ...query, page, hl: "en", extra: false }, signal);
    if (listings.length === 0) break;
    hits += listings.filter(({ placeId }) => right.has(placeId ?? "")).length;
  }
  return hits;
}

async function* items(towns: readonly Town[], places: readonly PlaceRecord[]): AsyncIterable<RecordItem> {
  for (const town of towns) yield { area: areaOf(town) };
  for (const place of places) yield { place };
}

function areaOf({ name, latitude, longitude }: Town): AreaRecord {
  return {
    sourceId: `osm:n-${name}`,
    name,
    namesByLanguage: {},
    kind: "town",
    latitude,
    longitude,
    box: null,
    population: 20_000,
    countryCode: "DE",
  };
}

const nouns = new Set(
  "restaurant fashion salon market grill bakery pharmacy hotel dental garage flowers optics books cycles jewels".split(
    " ",
  ),
);

function isNoun(word: string): boolean {
  return nouns.has(word);
}
