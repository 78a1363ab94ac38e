import { setImmediate as nextTurn } from "node:timers/promises";
import { distanceM, type Point } from "../../geography/points.ts";
import type { PlaceRecord } from "../../places/record.ts";
import { type OsmElement, recordOf } from "../../places/osm-tags/index.ts";
import { normalize } from "../../text/normalize.ts";

type Wish = { words: readonly string[]; categories: readonly string[]; center: Point | null };

/** After so many records others have their turn: each may have names in hundreds of languages. */
const atOnceMax = 5;

/**
 * The records of elements, each once and best first: the requested name, then the requested kind, then what is near and
 * well described.
 */
export async function rank(elements: readonly OsmElement[], wish: Wish): Promise<PlaceRecord[]> {
  const found = new Map<string, { record: PlaceRecord; score: number }>();
  for (const [index, element] of elements.entries()) {
    if (index % atOnceMax === atOnceMax - 1) await nextTurn();
    const record = recordOf(element);
    if (record && record.name !== "") found.set(record.sourceId, { record, score: scoreOf(record, wish) });
  }
  const scored = [...found.values()];
  scored.sort((left, right) => right.score - left.score || (left.record.sourceId < right.record.sourceId ? -1 : 1));
  return scored.map(({ record }) => record);
}

function scoreOf(record: PlaceRecord, { words, categories, center }: Wish): number {
  return (
    4 * nameScore(record, words) +
    2 * categoryScore(record, categories) +
    nearness(record, center) +
    0.5 * completeness(record)
  );
}

/** One for the very name, half for a name with all the words in it. */
function nameScore(record: PlaceRecord, words: readonly string[]): number {
  const names = [record.name, ...Object.values(record.namesByLanguage), ...record.otherNames].map(normalize);
  if (names.some((name) => name.join(" ") === words.join(" "))) return 1;
  return names.some((name) => words.every((word) => name.includes(word))) ? 0.5 : 0;
}

function categoryScore(record: PlaceRecord, wanted: readonly string[]): number {
  const [best] = record.categories;
  if (best !== undefined && wanted.includes(best)) return 1;
  return record.categories.some((category) => wanted.includes(category)) ? 0.8 : 0;
}

const nearbyMeters = 2000;

/** One at the center, half at two kilometers, and ever less. */
function nearness(record: PlaceRecord, center: Point | null): number {
  return center === null
    ? 0
    : nearbyMeters / (nearbyMeters + distanceM(record.latitude, record.longitude, center.latitude, center.longitude));
}

function completeness({ address, details }: PlaceRecord): number {
  const { phones, website, openingHours } = details;
  return [address.street, phones, website, openingHours].filter(Boolean).length / 4;
}
