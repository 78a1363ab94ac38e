import { fileURLToPath } from "node:url";
import { readLanguageFiles } from "../../server/src/languages/compile/read-files.ts";
import { rankedLanguages } from "../../server/src/languages/index.ts";
import type { AreaRecord, PlaceRecord, RecordItem } from "../../server/src/places/record.ts";
import { recordOf } from "../../server/src/places/osm-tags/index.ts";
import { tagsOfCategory } from "../../server/src/kinds/index.ts";
import { makeWords, randomFrom } from "./synthetic.ts";

export type Tagged = { record: PlaceRecord; tags: Readonly<Record<string, string>>; town: string };

/** What people look for by everyday words, with the categories meant. */
export const everydayRows = listRows();

const townsCount = 12;
const perKind = 3;

/** What every third restaurant, pharmacy and hotel of a town has: the truth of questions about attributes. */
export const attributes: readonly (readonly [
  words: string,
  kind: string,
  tags: Record<string, string>,
  hl?: string,
])[] = [
  ["vegan restaurant", "amenity=restaurant", { "diet:vegan": "yes" }],
  ["vegetarian restaurant", "amenity=restaurant", { "diet:vegetarian": "only" }],
  ["halal restaurant", "amenity=restaurant", { "diet:halal": "yes" }],
  ["kosher restaurant", "amenity=restaurant", { "diet:kosher": "yes" }],
  ["gluten free restaurant", "amenity=restaurant", { "diet:gluten_free": "yes" }],
  ["restaurant with outdoor seating", "amenity=restaurant", { outdoor_seating: "yes" }],
  ["restaurant takeaway", "amenity=restaurant", { takeaway: "yes" }],
  ["restaurant delivery", "amenity=restaurant", { delivery: "yes" }],
  ["wheelchair accessible restaurant", "amenity=restaurant", { wheelchair: "yes" }],
  ["restaurant with wifi", "amenity=restaurant", { internet_access: "wlan" }],
  ["dog friendly restaurant", "amenity=restaurant", { dog: "yes" }],
  ["restaurant that accepts credit cards", "amenity=restaurant", { "payment:visa": "yes" }],
  ["non smoking restaurant", "amenity=restaurant", { smoking: "no" }],
  ["air conditioned restaurant", "amenity=restaurant", { air_conditioning: "yes" }],
  ["cafe open on Sunday", "amenity=cafe", { opening_hours: "Su 10:00-18:00" }],
  ["bar open late", "amenity=bar", { opening_hours: "Fr-Sa 20:00-03:00" }],
  ["bakery open early", "shop=bakery", { opening_hours: "Mo-Sa 05:30-12:00" }],
  ["restaurant monday evening", "amenity=restaurant", { opening_hours: "Mo 17:00-22:00" }],
  ["supermarket open at 8", "shop=supermarket", { opening_hours: "Mo-Sa 08:00-18:00" }],
  ["Apotheke am Samstag geöffnet", "amenity=pharmacy", { opening_hours: "Sa 09:00-12:00" }, "de"],
  ["boulangerie ouverte le dimanche", "shop=bakery", { opening_hours: "Su 07:00-12:00" }, "fr"],
  ["24 hour pharmacy", "amenity=pharmacy", { opening_hours: "24/7" }],
  ["5 star hotel", "tourism=hotel", { stars: "5" }],
  ["4 Sterne Hotel", "tourism=hotel", { stars: "4S" }, "de"],
  ["fast food drive through", "amenity=fast_food", { drive_through: "yes" }],
  ["Restaurant mit Terrasse", "amenity=restaurant", { outdoor_seating: "yes" }, "de"],
  ["pharmacie 24h/24", "amenity=pharmacy", { opening_hours: "24/7" }, "fr"],
  ["restaurante vegano", "amenity=restaurant", { "diet:vegan": "yes" }, "es"],
  ["restaurante vegano", "amenity=restaurant", { "diet:vegan": "yes" }, "en"],
];

/** Towns a hundred kilometers apart with a few of everything, told by tags alone. */
export function makeTaggedTowns(): { towns: AreaRecord[]; places: Tagged[] } {
  const words = makeWords(4_000, randomFrom(77)).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const towns: AreaRecord[] = [];
  const places: Tagged[] = [];
  let next = townsCount;
  for (let index = 0; index < townsCount; index += 1) {
    const name = words[index] ?? "";
    const [latitude, longitude] = [46 + Math.floor(index / 4), 8 + 1.5 * (index % 4)];
    towns.push({
      sourceId: `osm:n${index + 1}`,
      name,
      namesByLanguage: { en: `Saint ${name}'s` },
      otherNames: [`la ${name}era`],
      kind: "town",
      latitude,
      longitude,
      box: [latitude - 0.03, longitude - 0.03, latitude + 0.03, longitude + 0.03],
      population: 9_000,
      countryCode: "CH",
    });
    const add = (tags: Record<string, string>) => {
      const id = places.length + 1;
      const point = { latitude: latitude + ((id % 37) - 18) / 1_000, longitude: longitude + ((id % 41) - 20) / 1_000 };
      const called = `${words[next++ % words.length]} ${words[(next * 7) % words.length]}`;
      const all = { ...tags, name: called, "addr:city": name };
      const record = recordOf({ type: "node", id, tags: all, ...point });
      if (record) places.push({ record, tags: all, town: name });
    };
    for (const [categories] of everydayRows) {
      const tags = tagsOfCategory(categories.split(" ", 1)[0] ?? "") ?? {};
      const plain = Object.fromEntries(
        Object.entries(tags).map(([key, value]) => [key, value === "*" ? "yes" : value]),
      );
      for (let count = 0; count < perKind; count += 1) add(plain);
    }
    for (const [, kind, tags] of attributes) {
      const [key = "", value = ""] = kind.split("=");
      add({ [key]: value, ...tags });
    }
  }
  return { towns, places };
}

export async function* itemsOf(towns: readonly AreaRecord[], places: readonly Tagged[]): AsyncIterable<RecordItem> {
  for (const area of towns) yield { area };
  for (const { record } of places) yield { place: record };
}

function listRows(): [categories: string, words: (language: string) => readonly string[]][] {
  const files = readLanguageFiles(fileURLToPath(new URL("../../server/src/languages", import.meta.url)));
  const kindsOf = new Map(files.map(({ tag, content }) => [tag, content.kinds ?? {}]));
  const rows = new Set(rankedLanguages.flatMap((tag) => Object.keys(kindsOf.get(tag) ?? {})));
  return [...rows].map((row) => [row, (tag) => kindsOf.get(tag)?.[row] ?? []]);
}
