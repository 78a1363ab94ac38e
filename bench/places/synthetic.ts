import type { RecordItem, PlaceRecord } from "../../server/src/places/record.ts";

export type Layout = "sparse" | "dense";
export type Town = { name: string; latitude: number; longitude: number; radiusDegrees: number };

/** Kinds with the word their names carry, the common ones first. */
export const kinds = [
  ["amenity/restaurant", "Restaurant"],
  ["shop/clothes", "Fashion"],
  ["shop/hairdresser", "Salon"],
  ["amenity/cafe", "Cafe"],
  ["shop/supermarket", "Market"],
  ["amenity/fast_food", "Grill"],
  ["shop/bakery", "Bakery"],
  ["amenity/pharmacy", "Pharmacy"],
  ["tourism/hotel", "Hotel"],
  ["amenity/bank", "Bank"],
  ["amenity/dentist", "Dental"],
  ["shop/car_repair", "Garage"],
  ["amenity/bar", "Bar"],
  ["shop/florist", "Flowers"],
  ["shop/optician", "Optics"],
  ["leisure/fitness_centre", "Gym"],
  ["shop/books", "Books"],
  ["amenity/veterinary", "Vet"],
  ["shop/bicycle", "Cycles"],
  ["shop/jewelry", "Jewels"],
] as const;

const onsets = [
  "b",
  "br",
  "c",
  "ch",
  "d",
  "dr",
  "f",
  "g",
  "gr",
  "h",
  "k",
  "l",
  "m",
  "n",
  "p",
  "r",
  "s",
  "st",
  "t",
  "v",
  "w",
  "z",
];
const vowels = ["a", "e", "i", "o", "u", "au", "ei"];
const endings = ["n", "r", "l", "s", "m", "ck", "tt", "nd", "", ""];

/** The same numbers at every run: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function makeWords(count: number, random: () => number): string[] {
  const words = new Set<string>();
  while (words.size < count) {
    let word = "";
    const syllables = 2 + Math.floor(random() * 2.4);
    for (let syllable = 0; syllable < syllables; syllable += 1) word += pick(onsets, random) + pick(vowels, random);
    words.add(word + pick(endings, random));
  }
  return [...words];
}

/** 5,000 towns over a continent, or cities of some 26 km across. */
export function makeTowns(layout: Layout, random: () => number, cities = 3): Town[] {
  const names = makeWords(layout === "sparse" ? 5_000 : cities, random);
  return names.map((name) => ({
    name: name.charAt(0).toUpperCase() + name.slice(1),
    latitude: 36 + random() * 20,
    longitude: -10 + random() * 40,
    radiusDegrees: layout === "sparse" ? 0.02 : 0.12,
  }));
}

/** Each place in a town, denser toward its middle. A third of the words make two thirds of the names. */
export function* makePlaces(count: number, towns: readonly Town[], random: () => number): Iterable<PlaceRecord> {
  const words = makeWords(30_000, randomFrom(7));
  for (let index = 0; index < count; index += 1) {
    const town = pick(towns, random);
    const [category, noun] = kinds[Math.floor(random() ** 1.7 * kinds.length)] ?? kinds[0];
    const word = capital(words[Math.floor(random() ** 2 * words.length)] ?? "");
    const second = random() < 0.4 ? ` ${capital(pick(words, random))}` : "";
    const angle = random() * 2 * Math.PI;
    const away = random() * town.radiusDegrees;
    yield placeRecord({
      sourceId: `osm:n${index + 1}`,
      name: random() < 0.7 ? `${word}${second} ${noun}` : `${noun} ${word}${second}`,
      category,
      latitude: town.latitude + Math.sin(angle) * away,
      longitude: town.longitude + (Math.cos(angle) * away) / Math.cos((town.latitude * Math.PI) / 180),
      city: town.name,
      number: index,
    });
  }
}

type PlaceFacts = {
  sourceId: string;
  name: string;
  category: string;
  latitude: number;
  longitude: number;
  city: string;
  number: number;
};

export function placeRecord({ sourceId, name, category, latitude, longitude, city, number }: PlaceFacts): PlaceRecord {
  return {
    sourceId,
    name,
    namesByLanguage: {},
    otherNames: [],
    categories: [category],
    categoryLabels: [],
    latitude,
    longitude,
    address: {
      street: `Main Street ${1 + (number % 200)}`,
      city,
      region: null,
      postalCode: String(postcodeOf(city) + (number % postcodesPerTown)),
      countryCode: "DE",
    },
    details: {
      ...(number % 3 === 0 ? { phones: [`+4930${1_000_000 + (number % 8_999_999)}`] } : {}),
      ...(number % 4 === 0 ? { website: `https://place-${number}.example/` } : {}),
    },
  };
}

const postcodesPerTown = 4;

/** The first of a town's own. */
function postcodeOf(city: string): number {
  let mixed = 0;
  for (const letter of city) mixed = (mixed * 31 + letter.charCodeAt(0)) % 20_000;
  return 10_000 + mixed * postcodesPerTown;
}

export async function* itemsOf(places: Iterable<PlaceRecord>): AsyncIterable<RecordItem> {
  for (const place of places) yield { place };
}

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
