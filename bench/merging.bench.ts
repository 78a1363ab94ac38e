// Which records of two data sets are one business? A labelled set made from the sample of Overture's places, where it
// is at hand: npm run bench -- merging [--records 2000]. Positive pairs are a record and what another data set might say
// of the same business; negative ones are two businesses that are alike, put next to each other at every distance that
// is compared. Below a recall of .93, or above .03 of the different pairs merged, the run fails.
import type { PlaceRecord } from "../server/src/places/record.ts";
import { contactsOf, type Described, pairUp } from "../server/src/places/merge/pair.ts";
import { wordsOf } from "../server/src/text/words.ts";
import { numberAfter } from "./places/measure.ts";
import { misspell } from "./places/questions.ts";
import { pick, randomFrom } from "./places/synthetic.ts";
import { readExtract } from "./places/tagged-questions.ts";

const distances = [0, 5, 15, 30, 60, 100, 140];
const recallMin = 0.93;
const falseMax = 0.03;

type Told = Pick<PlaceRecord, "name" | "categories" | "latitude" | "longitude"> & { contacts: string[] };
type Pair = { kind: string; first: Told; second: Told; isSame: boolean };

export async function run(words: string[]): Promise<void> {
  const read = await readExtract("overture/overture-places-sample-2025-02.parquet");
  if (!read) return console.log("overture-places-sample-2025-02.parquet is not here: nothing to compare");
  const random = randomFrom(11);
  const records = read
    .flatMap((item) => ("place" in item ? [item.place] : []))
    .slice(0, numberAfter(words, "--records", 4_000))
    .map((record) => ({ ...record, contacts: contactsOf(record.details) }));
  const pairs = [...positives(records, random), ...negatives(records, random)];

  const sums: Record<"same" | "different", [number, number]> = { same: [0, 0], different: [0, 0] };
  console.log(`${"pairs".padEnd(44)} ${"count".padStart(7)}  merged`);
  for (const [kind, list] of Map.groupBy(pairs, (pair) => pair.kind)) {
    const merged = list.filter(isMerged);
    const sum = list[0]?.isSame ? sums.same : sums.different;
    sum[0] += merged.length;
    sum[1] += list.length;
    console.log(`${kind.padEnd(44)} ${String(list.length).padStart(7)}  ${(merged.length / list.length).toFixed(3)}`);
    const wrong = list.filter((pair) => isMerged(pair) !== pair.isSame);
    for (const { first, second } of wrong.slice(0, words.includes("--show") ? 12 : 0)) {
      console.log(`    ${first.name} (${first.categories[0]}) | ${second.name} (${second.categories[0]})`);
    }
  }
  const [recall, falsely] = [sums.same[0] / sums.same[1], sums.different[0] / sums.different[1]];
  console.log(
    `recall ${recall.toFixed(3)} (at least ${recallMin}), different pairs merged ${falsely.toFixed(4)} (at most ${falseMax})`,
  );
  if (recall < recallMin || falsely > falseMax) process.exitCode = 1;
}

function isMerged({ first, second }: Pair): boolean {
  return pairUp([described(1, first)], [described(2, second)]).size === 1;
}

function described(number: number, { name, contacts, categories, latitude, longitude }: Told): Described {
  return { number, sourceId: String(number), latitude, longitude, nameWords: wordsOf(name), categories, contacts };
}

type Random = () => number;

/** What another data set might call it. */
const retellings: Readonly<Record<string, (name: string, random: Random) => string>> = {
  "as it is": (name) => name,
  "in capitals, without marks": (name) => name.toUpperCase().replaceAll(/[^A-Z0-9 ]/g, ""),
  "with a legal form": (name, random) => `${name} ${pick(["LLC", "Inc", "Inc.", "Ltd", "Co"], random)}`,
  "with its number": (name, random) => `${name} #${Math.floor(random() * 9_000) + 100}`,
  "a typo": (name, random) => {
    const words = name.split(" ");
    const long = words.findIndex((word) => /^[A-Za-z]{5,}$/.test(word));
    return words.map((word, at) => (at === long ? misspell(word.toLowerCase(), random) : word)).join(" ");
  },
  "its last word missing": (name) => {
    const words = name.split(" ");
    return words.length > 2 ? words.slice(0, -1).join(" ") : name;
  },
  "words in another order": (name) => name.split(" ").toReversed().join(" "),
  "and for &": (name) => (name.includes("&") ? name.replaceAll("&", "and") : name.replaceAll(" and ", " & ")),
};

function* positives(records: readonly Told[], random: Random): Iterable<Pair> {
  for (const record of records) {
    for (const [how, retell] of Object.entries(retellings)) {
      const away = random() * 80;
      // Half of the time the other data set has no telephone number, no website, and fewer kinds.
      const contacts = record.contacts.filter(() => random() < 0.5);
      const categories = random() < 0.2 ? [] : record.categories.slice(0, 2);
      const other = moved({ ...record, name: retell(record.name, random), contacts, categories }, record, away);
      yield { kind: `same: ${how}`, first: record, second: other, isSame: true };
    }
  }
}

const units: readonly (readonly [string, string])[] = [
  ["ATM", "amenity/atm"],
  ["Pharmacy", "amenity/pharmacy"],
  ["Photo Center", "shop/photo"],
  ["Gas Station", "amenity/fuel"],
  ["Car Wash", "amenity/car_wash"],
  ["Parking", "amenity/parking"],
];

function* negatives(records: readonly Told[], random: Random): Iterable<Pair> {
  const byWord = new Map<string, Told[]>();
  for (const record of records) {
    for (const word of new Set(wordsOf(record.name))) {
      if (word.length < 3) continue;
      const list = byWord.get(word);
      if (list) list.push(record);
      else byWord.set(word, [record]);
    }
  }
  const key = ({ name }: Told) => wordsOf(name).join("");
  for (const list of byWord.values()) {
    for (let count = 0; list.length > 1 && count < Math.min(6, list.length); count += 1) {
      const [first, other] = [pick(list, random), pick(list, random)];
      // One chain's branches are called alike: only those of other names are surely others.
      if (key(first) === key(other)) continue;
      if (isBranchOf(first, other) || isBranchOf(other, first)) continue;
      const second = moved(other, first, pick(distances, random));
      yield { kind: "different: a word of the name in common", first, second, isSame: false };
      const neighbors = {
        ...second,
        contacts: [...second.contacts, ...first.contacts.filter((each) => each.startsWith("web "))],
      };
      yield { kind: "different: in one building, one website", first, second: neighbors, isSame: false };
    }
  }
  const byKind = Map.groupBy(records, ({ categories }) => categories[0] ?? "");
  for (const list of byKind.values()) {
    for (let count = 0; list.length > 1 && count < Math.min(20, list.length); count += 1) {
      const [first, other] = [pick(list, random), pick(list, random)];
      if (key(first) === key(other)) continue;
      yield {
        kind: "different: of one kind",
        first,
        second: moved(other, first, pick(distances, random)),
        isSame: false,
      };
    }
  }
  for (const record of records) {
    const [label, category] = pick(units, random);
    if (record.categories.includes(category) || record.name.includes(label)) continue;
    const unit = { ...record, name: `${record.name} ${label}`, categories: [category] };
    yield {
      kind: "different: a unit of it",
      first: record,
      second: moved(unit, record, pick(distances, random)),
      isSame: false,
    };
  }
}

/** "Subway Restaurants" and "Subway": whether they are two is not to be told from here. */
function isBranchOf(longer: Told, shorter: Told): boolean {
  const words = new Set(wordsOf(longer.name));
  const inCommon = wordsOf(shorter.name).every((word) => words.has(word));
  return inCommon && longer.categories[0] === shorter.categories[0];
}

function moved<Place extends Told>(record: Place, { latitude, longitude }: Told, meters: number): Place {
  return { ...record, latitude: latitude + meters / 111_195, longitude };
}
