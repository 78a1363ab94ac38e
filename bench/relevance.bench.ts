// Does a search find what it should? Towns of our own making and real extracts, with truth from their tags:
// npm run bench -- relevance [--places 40000] [--questions 300]. The right answers are the baseline: plain
// comparison of names, kinds and towns tells them apart. A class below its floor fails the run.
import type { AreaRecord, RecordItem, PlaceRecord } from "../server/src/places/record.ts";
import { addressClasses } from "./places/address-questions.ts";
import { withDatabase } from "./places/database.ts";
import { nearClasses } from "./places/near-questions.ts";
import { numberAfter } from "./places/measure.ts";
import { openCatalog } from "./places/open-catalog.ts";
import { misspell, termOf } from "./places/questions.ts";
import { makePlaces, makeTowns, pick, randomFrom, type Town } from "./places/synthetic.ts";
import {
  extractClass,
  type Judged,
  type QuestionClass,
  readExtract,
  taggedClasses,
} from "./places/tagged-questions.ts";
import { itemsOf, makeTaggedTowns } from "./places/tagged-towns.ts";

const extracts = ["osm/liechtenstein-2024.osm.pbf", "osm/monaco-2025.osm.pbf", "osm/andorra-2025.osm.pbf"];

export async function run(words: string[]): Promise<void> {
  const count = numberAfter(words, "--places", 40_000);
  const questions = numberAfter(words, "--questions", 300);
  const failed: string[] = [];
  console.log(`${"class".padEnd(52)} questions  recall@20  precision  MRR    floor`);

  const tagged = makeTaggedTowns();
  failed.push(...(await judge(itemsOf(tagged.towns, tagged.places), taggedClasses(tagged))));

  const random = randomFrom(5);
  const towns = makeTowns("sparse", randomFrom(1)).slice(0, 100);
  const places = [...makePlaces(count, towns, randomFrom(2))];
  failed.push(...(await judge(items(towns, places), nameClasses(questionMakers(towns, places, random), questions))));

  for (const path of extracts) {
    const read = await readExtract(path);
    if (read) failed.push(...(await judge(yielded(read), classesOf(path.slice(4, -8), read))));
    else console.log(`${path} is not here: left out`);
  }
  if (failed.length > 0) {
    console.error(`Below their floor: ${failed.join(", ")}`);
    process.exitCode = 1;
  }
}

function classesOf(name: string, extract: readonly RecordItem[]): QuestionClass[] {
  return [extractClass(name, extract), ...addressClasses(name, extract), ...nearClasses(name, extract)];
}

/** Asks the questions of a catalog of these items; returns the names of the classes below their floor. */
async function judge(given: AsyncIterable<RecordItem>, classes: readonly QuestionClass[]): Promise<string[]> {
  return withDatabase(async (opened) => {
    const { signal } = new AbortController();
    const catalog = await openCatalog(opened, given);
    await catalog.warm(signal);
    const failed: string[] = [];
    for (const { name, floor, rankFloor, questions } of classes) {
      const sums = { recall: 0, precision: 0, rank: 0 };
      const missed: string[] = [];
      for (const { right, ...query } of questions) {
        const { listings } = await catalog.search({ ...query, page: 1, extra: false }, signal);
        const ids = listings.map(({ placeId }) => placeId ?? "");
        const one = right.size === 0 ? scoreEmpty(ids) : scoreOf(ids, right);
        if (one.recall < 1 && missed.length < 5) missed.push(query.q);
        for (const key of ["recall", "precision", "rank"] as const) sums[key] += one[key];
      }
      for (const key of ["recall", "precision", "rank"] as const) sums[key] /= questions.length;
      const isLow = sums.recall < floor || (rankFloor !== undefined && sums.rank < rankFloor);
      if (isLow) failed.push(name);
      const shown = [sums.recall, sums.precision, sums.rank].map((share) => share.toFixed(3).padStart(9)).join("  ");
      const floors = [floor, rankFloor].filter((each) => each !== undefined).join(", ");
      console.log(
        `${name.padEnd(52)} ${String(questions.length).padStart(9)}  ${shown}  ${floors}${isLow ? "  LOW" : ""}`,
      );
      if (missed.length > 0) console.log(`    missed, among others: ${missed.join(" | ")}`);
    }
    await catalog.close();
    return failed;
  });
}

function scoreOf(ids: readonly string[], right: ReadonlySet<string>) {
  const enough = Math.min(20, right.size);
  const hits = ids.filter((id) => right.has(id)).length;
  const first = ids.findIndex((id) => right.has(id));
  return {
    recall: hits / enough,
    // Of as many as there are right ones: whoever reads on expects others.
    precision: ids.slice(0, enough).filter((id) => right.has(id)).length / enough,
    rank: first === -1 ? 0 : 1 / (first + 1),
  };
}

function scoreEmpty(ids: readonly string[]) {
  const value = ids.length === 0 ? 1 : 0;
  return { recall: value, precision: value, rank: value };
}

function nameClasses(makers: Record<string, () => Omit<Judged, "hl">>, count: number): QuestionClass[] {
  return Object.entries(makers).map(([name, make]) => ({
    name,
    floor: floors[name] ?? 0.95,
    ...(name === "prefix" ? { rankFloor: 0.8 } : {}),
    questions: Array.from({ length: count }, () => ({ hl: "en", ...make() })),
  }));
}

const floors: Readonly<Record<string, number>> = {
  name: 0.98,
  prefix: 0.98,
  "one typo in a name": 0.98,
  "two typos in a name": 0.98,
};

async function* yielded(given: readonly RecordItem[]): AsyncIterable<RecordItem> {
  yield* given;
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
    "category in a town": (): Omit<Judged, "hl"> => {
      const record = pick(places, random);
      const [category = ""] = record.categories;
      const right = sameTown(record, (other) => other.categories[0] === category);
      return { q: `${termOf(category)} in ${townOf(record).name}`, right };
    },
    name: (): Omit<Judged, "hl"> => {
      const record = pick(places, random);
      return { q: record.name, ll: near(record), right: sameTown(record, ({ name }) => name === record.name) };
    },
    prefix: (): Omit<Judged, "hl"> => {
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
    "one typo in a name": (): Omit<Judged, "hl"> => {
      const record = pick(places, random);
      const word = longWord(record);
      return { q: misspell(word, random), ll: near(record), right: sameTown(record, hasWord(word)) };
    },
    "two typos in a name": (): Omit<Judged, "hl"> => {
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
