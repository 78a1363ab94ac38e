import { correctKind, type Question, withoutCuisine } from "../../query/question.ts";
import { otherKinds } from "../../query/other-kinds.ts";
import type { Contains } from "../../shape.ts";
import { listingsMax } from "../../source.ts";
import type { Looking } from "./place-index.ts";
import type { Reading } from "./read-query.ts";
import { type Region, regionsOf } from "./region.ts";
import { type Leniency, outsidePenalty } from "./search-block.ts";

/** A reading with so much leniency. */
export type Try = { question: Question; leniency: Leniency; regions: Region[] };

export type OutlinedReading = Reading & { contains: Contains | null };

/** From the strictest on; the next is tried when one finds nothing. */
const leniencies: readonly Leniency[] = ["exact", "typos", "relaxed", "partial"];

/** A reading to search with so much leniency; undefined when it would find what a stricter one found. */
export function tryOut(reading: OutlinedReading, leniency: Leniency, hl: string): Try | undefined {
  const { question: read, where, contains, mayWiden, mayRelax } = reading;
  if (leniency === "exact" && reading.isCorrected) return undefined;
  if (leniency === "relaxed" && (!mayRelax || read.categories.length === 0)) return undefined;
  // "Hotel Berlin" is in Berlin unless something is called so: one hotel of the catalog is not half of it.
  if (leniency === "partial" && (read.words.length < 2 || reading.isAside)) return undefined;
  const question = leniency === "typos" ? correctKind(read, hl) : leniency === "relaxed" ? withoutCuisine(read) : read;
  if (leniency === "relaxed" && read.isKind && question === read) return undefined;
  const regions = regionsOf(where, contains, outsidePenalty(question));
  return { question, leniency, regions: mayWiden ? regions : regions.slice(0, 1) };
}

/**
 * Looks farther, step by step, while less than a page was found; that does not hang on the page
 * asked for. What was only guessed at is not looked for any farther once there is something.
 */
async function widen(looking: Looking, tried: Try | undefined) {
  const isSure = tried?.leniency === "exact" || tried?.leniency === "relaxed" || tried?.question.isKind === true;
  const enough = isSure ? listingsMax : 1;
  while (looking.count() < enough && looking.hasNext()) await looking.searchNext();
}

function isNothing(tries: readonly Looking[]): boolean {
  return tries.every((each) => each.count() === 0);
}

/**
 * Searches by all readings, from the strictest leniency on until something is found. Before it looks farther
 * away, it looks for what the words may mean besides.
 */
export async function searchReadings(
  readings: readonly OutlinedReading[],
  hl: string,
  look: (each: Try) => Looking,
): Promise<{ found: readonly Looking[]; tried: readonly Looking[] }> {
  const tried: Looking[] = [];

  async function search(some: readonly OutlinedReading[], leniency: Leniency) {
    const tries = some.flatMap((reading) => tryOut(reading, leniency, hl) ?? []);
    const found = tries.map(look);
    tried.push(...found);
    for (const each of found) await each.searchNext();
    return { tries, found };
  }

  /** Searches what the words may mean besides, unless the first meaning has something without their other words. */
  async function searchOthers(): Promise<readonly Looking[]> {
    if (others().length === 0 || !isNothing((await search(readings, "relaxed")).found)) return [];
    const { found } = await search(others(), "exact");
    return isNothing(found) ? (await search(others(), "relaxed")).found : found;
  }

  async function searchFarther({ tries, found }: Awaited<ReturnType<typeof search>>) {
    for (const [at, each] of found.entries()) await widen(each, tries[at]);
    return found;
  }

  let otherMeanings: OutlinedReading[] | undefined;
  const others = () => (otherMeanings ??= otherReadings(readings, hl));

  for (const leniency of leniencies) {
    const searched = await search(readings, leniency);
    // What is spelled right but lies farther away counts for less than a typo near by.
    if (leniency === "exact" && isNothing(searched.found)) {
      const found = await searchOthers();
      if (isNothing(found)) continue;
      return { found, tried };
    }
    const found = await searchFarther(searched);
    if (!isNothing(found)) return { found, tried };
  }
  if (others().length === 0) return { found: [], tried };
  const found = await searchFarther(await search(others(), "exact"));
  return { found: isNothing(found) ? await searchFarther(await search(others(), "relaxed")) : found, tried };
}

/** The same areas with other meanings of the words, for when the first has nothing there. */
function otherReadings(readings: readonly OutlinedReading[], hl: string): OutlinedReading[] {
  return readings.flatMap((reading) =>
    reading.mayMeanOther ? otherKinds(reading.question, hl).map((question) => ({ ...reading, question })) : [],
  );
}
