import type { PlaceRecord } from "../../server/src/places/record.ts";
import { pick } from "./synthetic.ts";

export type Asked = {
  kind: "category" | "prefix" | "typo" | "name";
  q: string;
  category: string;
  latitude: number;
  longitude: number;
  zoom: number;
};

/** What people would ask, where they are: each has a known right answer among the sample, which is near. */
export function makeQuestions(
  kind: Exclude<Asked["kind"], "name">,
  count: number,
  sample: readonly PlaceRecord[],
  random: () => number,
): Asked[] {
  return Array.from({ length: count }, () => {
    const record = pick(sample, random);
    const nearby = (degrees: number) => Number((degrees + (random() - 0.5) * 0.02).toFixed(5));
    const [latitude, longitude] = [nearby(record.latitude), nearby(record.longitude)];
    const category = record.categories[0] ?? "";
    if (kind === "category") return { kind, q: termOf(category), category, latitude, longitude, zoom: 13 };
    const word = (record.name.split(" ").find((each) => each.length >= 5) ?? record.name).toLowerCase();
    const q = kind === "prefix" ? word.slice(0, 4) : misspell(word, random);
    return { kind, q, category, latitude, longitude, zoom: 11 };
  });
}

export function misspell(word: string, random: () => number): string {
  const at = 1 + Math.floor(random() * (word.length - 2));
  const way = Math.floor(random() * 4);
  if (way === 0) return word.slice(0, at) + word.slice(at + 1);
  if (way === 1) return word.slice(0, at) + word.charAt(at) + word.slice(at);
  if (way === 2) return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
  return `${word.slice(0, at)}q${word.slice(at + 1)}`;
}

/** The plain word for a category, as English has it. */
export function termOf(category: string): string {
  const terms: Record<string, string> = {
    "shop/clothes": "clothes shop",
    "shop/car_repair": "car repair",
    "leisure/fitness_centre": "gym",
    "shop/books": "bookstore",
    "shop/bicycle": "bike shop",
    "shop/jewelry": "jeweler",
    "amenity/fast_food": "fast food",
    "amenity/veterinary": "vet",
  };
  return terms[category] ?? category.slice(category.indexOf("/") + 1);
}
