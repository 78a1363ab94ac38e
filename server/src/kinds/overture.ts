import { readFileSync } from "node:fs";
import { tagsOfCategory } from "./categories.ts";

/** Our category for a kind of Overture's; exact when it says the same, so that it can stand for it. */
export type OvertureKind = { category: string; isExact: boolean };

/** The table beside this file, by Overture's id; null for what is no business. */
const listed: ReadonlyMap<string, OvertureKind | null> = readTable();

function readTable(): Map<string, OvertureKind | null> {
  const text = readFileSync(new URL("overture.tsv", import.meta.url), "utf8");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.flatMap((line) => {
      const [grade = "", ids = ""] = line.split("\t");
      const kind = grade === "-" ? null : { category: grade.replace(/^~/, ""), isExact: !grade.startsWith("~") };
      return ids.split(" ").map((id): [string, OvertureKind | null] => [id, kind]);
    }),
  );
}

const restaurantEnding = /_restaurants?$/;
const shopEnding = /_(?:store|stores|shop|supplier|supplies|supply)$/;

/** What the end of an id says of its kind, which is wider than the id. */
const endings: readonly (readonly [ending: RegExp, category: string])[] = [
  [restaurantEnding, "amenity/restaurant"],
  [/_clothing_store$/, "shop/clothes"],
  [/_grocery_store$/, "shop/supermarket"],
  [/_pet_store$/, "shop/pet"],
  [/_(?:supplier|suppliers|supply|supplies)$/, "shop/trade"],
  [/_(?:store|stores|shop)$/, "shop"],
  [/_(?:church|place_of_worshop)$/, "amenity/place_of_worship/christian"],
  [/_(?:school|schools|academy)$/, "amenity/school"],
  [/_museum$/, "tourism/museum"],
  [/_(?:stadium|arena)$/, "leisure/stadium"],
  [/_(?:pitch|court|field)$/, "leisure/pitch"],
  [/_tours?$/, "shop/travel_agency"],
  [/_(?:lawyer|attorney)s?$/, "office/lawyer"],
  [/_engineers?$/, "office/engineer"],
  [/_(?:consultant|consulting)s?$/, "office/consulting"],
  [/_(?:organization|association)s?$/, "office/association"],
  [/_agenc(?:y|ies)$/, "office"],
  [/_(?:physician|surgeon|surgery)s?$/, "amenity/doctors"],
  [/_(?:clinic|clinics)$/, "amenity/clinic"],
  [/_hospital$/, "amenity/hospital"],
  [/_(?:bar|pub)$/, "amenity/bar"],
  [/_cafe$/, "amenity/cafe"],
  [/(?:^|_)(?:rental|rentals|hire)(?:_|$)/, "shop/rental"],
  [/_(?:wholesaler|distributor)s?$/, "shop/wholesale"],
  [/_(?:dealer|market)s?$/, "shop"],
  [/_(?:manufacturer|manufacturers|factory|mill|plant|company|companies)$/, "office/company"],
  [/_(?:maker|repair|restoration|contractor|installation)s?$/, "craft"],
  [/_club$/, "club"],
];

/** The kinds that a phrase in English means, best first: Overture names its categories in English words. */
export type KindsOfPhrase = (phrase: string) => readonly string[] | undefined;

/** Our kind for one of Overture's, as near as there is one; undefined where none is true of it. */
export function kindOfOverture(overtureId: string, kindsOf: KindsOfPhrase): OvertureKind | undefined {
  const known = listed.get(overtureId);
  if (known !== undefined) return known ?? undefined;
  const exact = exactCategory(overtureId, kindsOf);
  if (exact !== undefined) return { category: exact, isExact: true };
  const wider = widerCategory(overtureId);
  return wider === undefined ? undefined : { category: wider, isExact: false };
}

/** Whether it is a feature of the earth, such as a lake, and no business. */
export function isNoBusinessOfOverture(overtureId: string): boolean {
  return listed.get(overtureId) === null;
}

function exactCategory(overtureId: string, kindsOf: KindsOfPhrase): string | undefined {
  if (restaurantEnding.test(overtureId)) {
    const cuisine = overtureId.replace(restaurantEnding, "");
    return exists(`amenity/restaurant/${cuisine}`) ?? exists(`amenity/fast_food/${cuisine}`);
  }
  if (overtureId.endsWith("_law")) return "office/lawyer";

  const phrase = overtureId.replaceAll("_", " ");
  const kinds = kindsOf(phrase) ?? kindsOf(phrase.replace(/s$/, ""));
  if (kinds) return kinds[0];
  for (const family of ["shop", "amenity", "craft", "office", "leisure", "tourism", "healthcare"]) {
    const category = exists(`${family}/${overtureId}`);
    if (category) return category;
  }
  return shopEnding.test(overtureId) ? exists(`shop/${overtureId.replace(shopEnding, "")}`) : undefined;
}

function widerCategory(overtureId: string): string | undefined {
  return endings.find(([ending]) => ending.test(overtureId))?.[1];
}

function exists(categoryId: string): string | undefined {
  return tagsOfCategory(categoryId) === undefined ? undefined : categoryId;
}
