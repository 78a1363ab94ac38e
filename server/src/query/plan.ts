import { type Box, boxesAround, type Point } from "../geography/points.ts";
import type { ByNearness, ByQuality, Clause, Search, Window } from "../place-index/port.ts";
import { countryBoxes } from "./country-boxes.ts";
import { radiusOf } from "./names.ts";
import { type Area, type Interpretation, isNamedWhere, type Want } from "./spans.ts";
import { hoursOfWeek } from "./words/times.ts";

/** Where a question is asked that names no where: what a map shows, else a country, else the world. */
export type View = { circle: { center: Point; radiusM: number } | null; country: string | null; isCovered: boolean };

/** A part of the map to look in, and what a place there loses beside those of the part before. */
export type Region = {
  window: Window;
  order: ByNearness | ByQuality;
  penalty: number;
  /** What decides inside of the window, where the index cannot. */
  contains: ((point: Point) => boolean) | null;
};

/** How much of what was asked a place must have: all as typed, mistyped, no words but the kind, a kind that is like it, half the words. */
export const leniencies = ["exact", "typos", "relaxed", "coarse", "half"] as const;
export type Leniency = (typeof leniencies)[number];

const wholeEarth: Box = [-90, -180, 90, 180];
/** Nobody looks farther from a point. */
const farM = 200_000;
/** Near something the nearer comes first, and hardly anything else counts. */
const byDistance = 0.2;
/** How many times farther it looks where there is too little. */
const farther = 15;
/** More than nearness and quality, and less than a tier of text. */
const outsidePenalty = 110;
/** More than distance and completeness can outweigh: places with the wanted attribute come first. */
const attributesWorth = 80;
const wordsWorth = 24;

/** The regions for a where, each wider than the one before it. */
export function regionsOf(read: Interpretation, view: View): Region[] {
  const named = read.where.filter(isNamedWhere);
  const area = named.flatMap((where) => ("in" in where ? where.in : []))[0];
  if (area) return inArea(area, read.attributes.length > 0 || read.open !== null);
  if (isOfOne(read) || named.some((where) => "at" in where || "on" in where)) return anywhere(view);
  const { circle, country, isCovered } = view;
  if (!circle) return [region(everywhereIn(country), { by: "quality" })];
  const isHere = read.where.includes("here");
  const regions = around(circle.center, circle.radiusM, isHere ? circle.radiusM * byDistance : circle.radiusM);
  return isCovered ? regions : regions.slice(0, 1);
}

/** Around what something is near of, in the country or state that was named. */
export function regionsAround(center: Point, radiusM: number, read: Interpretation | null): Region[] {
  const area = read?.where.filter(isNamedWhere).flatMap((where) => ("in" in where ? where.in : []))[0];
  const country = area?.kind === "country" ? area.country : null;
  return around(center, radiusM, radiusM * byDistance).map((each) => ({
    ...each,
    window: { ...each.window, country },
  }));
}

/** What is called just so, or has the number, is meant wherever it is. */
export function isOfOne({ spans }: Interpretation): boolean {
  return spans.length === 1 && spans.every(({ type }) => type === "name" || type === "contact");
}

/** The nearest first where somebody looks at a map. */
function anywhere({ circle, country }: View): Region[] {
  if (!circle) return [region(everywhereIn(country), { by: "quality" })];
  return [region(everywhereIn(null), { by: "nearness", center: circle.center, scaleM: circle.radiusM })];
}

function inArea(area: Area, hasAttributes: boolean): Region[] {
  const { kind, country, center, box, id, isOutlined, contains, places } = area;
  if (kind === "country" && country !== null) return [region(everywhereIn(country), { by: "quality" })];
  const radiusM = radiusOf(area);
  const order = { by: "nearness", center, scaleM: radiusM } as const;
  const window: Window = {
    boxes: box ? [box] : boxesAround(center, radiusM),
    country: isOutlined ? null : country,
    circle: box ? null : { center, radiusM },
    areas: isOutlined && id !== null ? [id] : [],
  };
  const inside = { ...region(window, order), contains };
  if (places === 0 || contains) return [inside];
  const penalty = isOutlined ? outsidePenalty + (hasAttributes ? attributesWorth : 0) : 0;
  const [, ...wider] = around(center, radiusM);
  return [inside, ...wider.map((each) => ({ ...each, penalty }))];
}

function around(center: Point, reachM: number, scaleM = reachM): Region[] {
  return radiiAround(reachM).map((radiusM) => {
    const window = { boxes: boxesAround(center, radiusM), country: null, circle: { center, radiusM }, areas: [] };
    return region(window, { by: "nearness", center, scaleM });
  });
}

/** How far a search looks at first, and where there is too little. */
export function radiiAround(radiusM: number): number[] {
  return [...new Set([radiusM, Math.min(radiusM * farther, Math.max(farM, radiusM))])];
}

function region(window: Window, order: Region["order"]): Region {
  return { window, order, penalty: 0, contains: null };
}

function everywhereIn(country: string | null): Window {
  return { boxes: country === null ? [wholeEarth] : countryBoxes(country), country, circle: null, areas: [] };
}

/** What is asked of a place, besides where it lies. */
export type AskedOf = Omit<Search, "window" | "order" | "limit">;

/** The searches for a reading; none where a leniency adds nothing. */
export function askedOf(read: Interpretation, leniency: Leniency): AskedOf[] {
  const { where } = read;
  const want = leniency === "coarse" ? coarser(read.want) : read.want;
  if (!want) return [];
  const { kinds, brand, contact } = want;
  const words = [
    ...want.words,
    ...where.flatMap((each) => (isNamedWhere(each) && "unknown" in each ? each.unknown : [])),
  ];
  if (contact) return leniency === "exact" ? [only([must(one(contact.key, contact.text))], 300)] : [];
  const placed = [...(brand === null ? [] : [must(one("brand", brand))]), ...placing(read)];
  const rest = [...placed, ...preferredClauses(read)];
  if (words.length === 0) return withoutWords({ ...want, kinds }, leniency, rest, [...placed, ...soleAttribute(read)]);
  if (leniency === "relaxed" || leniency === "coarse") return isSettled(read) ? relaxed(kinds, words, rest) : [];
  return leniency === "half" ? halfCalled(words, kinds, rest) : called(words, kinds, leniency, rest);
}

function withoutWords(
  { kinds, isLoose, brand }: Want,
  leniency: Leniency,
  rest: readonly Clause[],
  alone: readonly Clause[],
): AskedOf[] {
  // "Hotel with pool" is a hotel, if need be without one.
  if (leniency === "relaxed") return kinds.length > 1 ? [only([...kindClauses(kinds.slice(0, 1)), ...rest], 200)] : [];
  if (leniency !== "exact" && leniency !== "coarse") return [];
  if (kinds.length > 0) return [only([...kindClauses(kinds), ...rest], isLoose ? 250 : 300)];
  return [only(alone, brand === null ? 50 : 300)];
}

/** Places that are called by the words, or are of the kind and called by the others. */
function called(
  words: readonly string[],
  kinds: Want["kinds"],
  leniency: Leniency,
  rest: readonly Clause[],
): AskedOf[] {
  const typos = leniency === "typos" ? 2 : 0;
  const well = wordsWorth / words.length;
  const clauses = words.map((text, at) => ({
    ...word(text, typos, at === words.length - 1),
    must: true,
    worth: 0,
    well,
  }));
  if (kinds.length > 0) return [only([...kindClauses(kinds), ...clauses, ...rest], 250)];
  return [{ all: [...clauses, ...rest], least: 0, base: 300, whole: 440, coverage: 10 }];
}

/** Where a town of the catalog is named, other words may be passed over. */
function isSettled({ where }: Interpretation): boolean {
  const named = where.filter(isNamedWhere);
  const isTown = named.some((each) => "in" in each && each.in.kind !== "country" && each.in.places > 0);
  return isTown && !named.some((each) => "unknown" in each);
}

function relaxed(kinds: Want["kinds"], words: readonly string[], rest: readonly Clause[]): AskedOf[] {
  if (kinds.length === 0) return [];
  const clauses = words.map((text) => ({ ...word(text, 0, false), must: false, worth: 5, well: 0 }));
  return [only([...kindClauses(kinds.slice(0, 1)), ...clauses, ...rest], 200)];
}

/** "H&M" and "7-Eleven" are none of the names with an H or a 7. */
const short = /^[a-z\d]{1,2}$/;

/** Places that have at least half of the words. */
function halfCalled(words: readonly string[], kinds: Want["kinds"], rest: readonly Clause[]): AskedOf[] {
  const telling = words.filter((text) => !short.test(text));
  if (telling.length < 2 || kinds.length > 0) return [];
  const gains = { worth: 100 / telling.length, well: wordsWorth / telling.length };
  const clauses = telling.map((text, at) => ({ ...word(text, 2, at === telling.length - 1), must: false, ...gains }));
  return [{ all: [...clauses, ...rest], least: Math.ceil(telling.length / 2), base: 0, whole: null, coverage: 0 }];
}

/** Where nobody cooks what was asked for, any place to eat answers; undefined where there is nothing coarser. */
function coarser(want: Want): Want | undefined {
  const kinds = want.kinds.map((either) => [...new Set(either.map((kind) => fine.exec(kind)?.[1] ?? kind))]);
  return kinds.join() === want.kinds.join() ? undefined : { ...want, kinds };
}

const fine = /^(amenity\/(?:restaurant|fast_food|cafe|doctors)|shop\/[a-z_]+)\/./;

function kindClauses(kinds: Want["kinds"]): Clause[] {
  return kinds.map(kindClause);
}

function kindClause(kinds: readonly string[]): Clause {
  // A cash machine may stand in a bank, which has it as an attribute.
  const all = kinds.includes("amenity/atm") ? [...kinds, "@atm"] : kinds;
  const any = all.map((text) => ({ type: "kind" as const, text }));
  return { any, must: true, typos: 0, prefix: false, worth: 10, well: 20 };
}

type Having = Pick<Interpretation, "attributes" | "open">;

/** Nothing but attributes: "vegan", "outdoor seating". What has the first of them is a kind of its own; open is whatever is. */
function soleAttribute({ attributes, open }: Having): Clause[] {
  const kind = attributes.find((id) => id !== "@open_now");
  if (kind === undefined) return preferredClauses({ attributes: [], open });
  return [kindClause([kind]), ...preferredClauses({ attributes: attributes.filter((id) => id !== kind), open })];
}

/** What comes first, and is not needed. */
function preferredClauses({ attributes, open }: Having): Clause[] {
  const all = [
    ...attributes.map((id) => one("kind", id)),
    ...(open ? [one("hours", hoursOfWeek(open).join(" "))] : []),
  ];
  return all.map((each) => ({ ...each, must: false, worth: attributesWorth / all.length, well: 0 }));
}

/** What an address must have: a street, or the house on it, and a postcode. */
function placing({ where }: Interpretation): Clause[] {
  return where.filter(isNamedWhere).flatMap((each): Clause[] => {
    if ("on" in each) {
      return [must(each.house === null ? one("street", each.on) : one("address", `${each.on} ${each.house}`))];
    }
    if (!("at" in each)) return [];
    const any = each.countries.map((country) => ({ type: "postcode" as const, text: `${each.at} ${country}` }));
    return [must({ any, typos: 0, prefix: false })];
  });
}

function word(text: string, typos: 0 | 2, prefix: boolean): Pick<Clause, "any" | "typos" | "prefix"> {
  return { any: [{ type: "word", text }], typos, prefix };
}

function one(type: Clause["any"][number]["type"], text: string): Pick<Clause, "any" | "typos" | "prefix"> {
  return { any: [{ type, text }], typos: 0, prefix: false };
}

function must(clause: Pick<Clause, "any" | "typos" | "prefix">): Clause {
  return { ...clause, must: true, worth: 0, well: 0 };
}

function only(all: readonly Clause[], base: number): AskedOf {
  return { all, least: 0, base, whole: null, coverage: 0 };
}
