import { existsSync } from "node:fs";
import { join } from "node:path";
import { detectFormat, readItems } from "../../server/src/data-sets/2-read/index.ts";
import type { PlaceRecord, RecordItem } from "../../server/src/places/record.ts";
import { lexicon, rankedLanguages } from "../../server/src/languages/index.ts";
import { attributes, everydayRows, type makeTaggedTowns, type Tagged } from "./tagged-towns.ts";

/** A question with its right answers, by place id; no right answer means that the page must be empty. */
export type Judged = { q: string; hl: string; ll?: string; gl?: string; right: ReadonlySet<string> };
/** Questions of one class and the shares it must reach: recall on the first page, mean reciprocal rank. */
export type QuestionClass = { name: string; floor: number; rankFloor?: number; questions: Judged[] };

const prepositions: Readonly<Record<string, string>> = {
  en: "in",
  de: "in",
  fr: "à",
  es: "en",
  it: "a",
  pt: "em",
  nl: "in",
  ca: "a",
};

/** The classes whose truth is in the tags of the synthetic towns. */
export function taggedClasses({ towns, places }: ReturnType<typeof makeTaggedTowns>): QuestionClass[] {
  const inTown = (town: string, isRight: (place: Tagged) => boolean) =>
    idsOf(places.filter((place) => place.town === town && isRight(place)).map(({ record }) => record));
  const view = (index: number) => {
    const { latitude = 0, longitude = 0, name = "" } = towns[index % towns.length] ?? {};
    return { ll: `@${latitude},${longitude},13z`, name };
  };
  const pharmacies = (name: string) => inTown(name, ({ tags }) => tags["amenity"] === "pharmacy");
  const pharmacy = everydayRows.find(([categories]) => categories === "amenity/pharmacy")?.[1];
  return [
    ...rankedLanguages.map((hl) => ({
      name: `category in town, ${hl}`,
      floor: 0.95,
      questions: everydayRows.flatMap(([categories, words], index) => {
        const wanted = categories.split(" ");
        const { name } = view(index);
        const right = inTown(name, ({ record }) => record.categories.some((id) => wanted.includes(id)));
        return words(hl).map((word) => ({ q: `${word} ${prepositions[hl]} ${name}`, hl, right }));
      }),
    })),
    {
      name: "near me",
      floor: 1,
      questions: rankedLanguages.flatMap((hl) =>
        (lexicon.get(hl)?.here ?? []).map((phrase, index) => {
          const { ll, name } = view(index);
          const word = pharmacy?.(hl)[0] ?? "";
          return { q: `${word} ${phrase}`, hl, ll, right: pharmacies(name) };
        }),
      ),
    },
    {
      name: "attribute first",
      floor: 0.9,
      questions: towns.flatMap((_, index) =>
        attributes.map(([q, kind, tags, hl = "en"]) => {
          const { ll, name } = view(index);
          const [key = "", value = ""] = kind.split("=");
          const right = inTown(name, (place) => place.tags[key] === value && hasTags(place, tags));
          return { q, hl, ll, right };
        }),
      ),
    },
    {
      name: "misspelled town",
      floor: 0.9,
      questions: towns
        .filter(({ name }) => name.length >= 5)
        .map(({ name }) => ({
          q: `pharmacy in ${name.slice(0, 3)}${name.slice(4)}`,
          hl: "en",
          right: pharmacies(name),
        })),
    },
    {
      name: "town spelled otherwise",
      floor: 0.98,
      questions: towns.flatMap(({ name }) =>
        [`St ${name}'s`, `St. ${name}’s`, `Sankt ${name}s`, `saint ${name}´s`, `${name}era`, `La ${name}era`].map(
          (spelled) => ({
            q: `pharmacy in ${spelled}`,
            hl: "en",
            right: pharmacies(name),
          }),
        ),
      ),
    },
    {
      name: "town of another country",
      floor: 1,
      questions: "Lisboa,Tokyo,Chicago,Nairobi,Lima,Oslo,Sydney,Mumbai".split(",").flatMap((name) =>
        ["restaurants in", "pharmacy in", "hotels near"].map((what) => ({
          q: `${what} ${name}`,
          hl: "en",
          right: new Set<string>(),
        })),
      ),
    },
  ];
}

const dataFolder = join(import.meta.dirname, "../../../shared/data");

/** The items of a real extract, where there is one. */
export async function readExtract(path: string): Promise<RecordItem[] | undefined> {
  const file = join(dataFolder, path);
  if (!existsSync(file)) return undefined;
  const items: RecordItem[] = [];
  const { signal } = new AbortController();
  for await (const item of readItems(file, await detectFormat(file), { signal })) items.push(item);
  return items;
}

/** Kinds of place in the towns that addresses of a real extract name, in the eight languages. */
export function extractClass(name: string, items: readonly RecordItem[]): QuestionClass {
  const records = items.flatMap((item) => ("place" in item ? [item.place] : []));
  const areas = new Set(items.flatMap((item) => ("area" in item ? [item.area.name] : [])));
  const byCity = Map.groupBy(records, ({ address }) => address.city ?? "");
  const questions = [...byCity].flatMap(([city, inCity]) => {
    if (!areas.has(city)) return [];
    return everydayRows.flatMap(([categories, words]) => {
      const wanted = categories.split(" ");
      const right = idsOf(inCity.filter((record) => record.categories.some((id) => wanted.includes(id))));
      if (right.size === 0) return [];
      return rankedLanguages.flatMap((hl) =>
        words(hl)
          .slice(0, 1)
          .map((word) => ({ q: `${word} ${prepositions[hl]} ${city}`, hl, right })),
      );
    });
  });
  return { name: `category in town, ${name}`, floor: 0.95, questions };
}

function hasTags({ tags }: Tagged, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => tags[key] === value);
}

function idsOf(records: readonly PlaceRecord[]): Set<string> {
  return new Set(records.map(({ sourceId }) => sourceId));
}
