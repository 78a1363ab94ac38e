import { articles, isLink, nearness, withoutLinks } from "../../query/links.ts";
import { asName, type Question, readWhat, readWhats } from "../../query/question.ts";
import { distanceM, type Point } from "../../../geography/points.ts";
import type { Look } from "./looking.ts";
import type { Reading } from "./read-query.ts";
import { type Region, regionsOf, type Where } from "./region.ts";

/** What a question wants to be near of: the nearest of a kind, or a place of this name. */
export type Landmark = {
  question: Question;
  where: Where;
  /** A kind, or something with an article: rather that than a far town. */
  isThing: boolean;
  /** A kind with an article is no town at all. */
  isSureThing: boolean;
  /** Not one place, but the middle of those that have the postcode. */
  isPostcode?: true;
};

/** No town has one of these before it in a sentence; in Romance languages some have: "près du Mans". */
const thingArticles: ReadonlySet<string> = new Set(["the", "der", "dem", "den", "das"]);

/** How far from a landmark people look first. */
const reachM = 1_500;

/** "Hotel near the bus station", "café près du château": a kind of place, and what it is to be near of. */
export function readLandmark(
  words: readonly string[],
  hl: string,
  where: Where,
): { question: Question; landmark: Landmark } | undefined {
  for (let at = words.length - 2; at >= 1; at -= 1) {
    if (!nearness.has(words[at] ?? "")) continue;
    const question = readWhats(withoutLinks(words.slice(0, at)), hl).find(({ isKind }) => isKind);
    const linked = words.slice(at + 1);
    const target = withoutLeadingLinks(linked);
    if (!question || target.length === 0) continue;
    const landmark = landmarkNamed(target, hl, where);
    const article = linked.at(-target.length - 1) ?? "";
    const isThing = landmark.isThing || thingArticles.has(article);
    return { question, landmark: { ...landmark, isThing, isSureThing: landmark.isThing && articles.has(article) } };
  }
  return undefined;
}

/** Words beside the kind must be in the landmark's name: "Predjama castle". */
export function landmarkNamed(target: readonly string[], hl: string, where: Where): Landmark {
  const kind = readWhats(target, hl).find(({ categories }) => categories.length > 0);
  return { question: kind ?? asName(target), where, isThing: kind?.isKind === true, isSureThing: false };
}

/** Whether the words behind a town's name are nothing but a kind of landmark: "Kotor bus station". */
export function isLandmark(words: readonly string[], hl: string): boolean {
  const { isKind, categories, attributes } = readWhat(words, hl);
  return isKind && attributes.length === 0 && categories.some((category) => !category.startsWith("@"));
}

/**
 * Readings that are about what lies around a landmark look around it. One whose landmark has a name that
 * nobody knows finds nothing; where there is no airport, what was wanted near one is still wanted.
 */
export async function atLandmarks(
  readings: readonly Reading[],
  locate: (landmark: Landmark) => Promise<Point | undefined>,
): Promise<readonly Reading[]> {
  if (readings.every(({ landmark }) => landmark === undefined)) return readings;
  const located: Reading[] = [];
  for (const reading of readings) {
    const { landmark } = reading;
    const point = landmark && (await locate(landmark));
    if (point) {
      const { latitude, longitude } = point;
      located.push({ ...reading, where: { kind: "circle", center: { latitude, longitude }, radiusM: reachM } });
    } else if (!landmark || landmark.isThing) located.push(reading);
  }
  return located;
}

/** So many places tell where a postcode is. */
const postcodePlacesMax = 32;

/** The places that tell where a landmark is, by number. */
export async function findLandmark(look: Look, landmark: Landmark): Promise<number[]> {
  const { question, isPostcode } = landmark;
  const limit = isPostcode ? postcodePlacesMax : 1;
  const looking = look({ question, leniency: "exact", regions: regionsAround(landmark), limit });
  while (looking.count() === 0 && looking.hasNext()) await looking.searchNext();
  return looking.list().map(({ number }) => number);
}

/** Where to look for a landmark. A postcode may lie anywhere but in another town than the one beside it. */
function regionsAround({ where, isPostcode }: Landmark): Region[] {
  const regions = regionsOf(where);
  if (!isPostcode || where.kind === "everywhere") return regions;
  const isNamed = where.kind === "box" || (where.kind === "circle" && !where.isView);
  return isNamed ? regions.slice(0, 2) : [...regions, ...regionsOf({ kind: "everywhere" })];
}

/** Farther from the first of them is another country's, or a mistake. */
const postcodeReachM = 20_000;

/** The middle of the points that lie around the first. */
export function middleAround(points: readonly Point[]): Point | undefined {
  const [first] = points;
  if (!first) return undefined;
  const near = points.filter(
    ({ latitude, longitude }) => distanceM(first.latitude, first.longitude, latitude, longitude) <= postcodeReachM,
  );
  return {
    latitude: middle(near.map(({ latitude }) => latitude)),
    longitude: middle(near.map(({ longitude }) => longitude)),
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function withoutLeadingLinks(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !isLink(word));
  return start < 0 ? [] : words.slice(start);
}
