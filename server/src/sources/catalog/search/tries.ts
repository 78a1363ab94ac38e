import { asName, correctKind, type Question, withoutCuisine } from "../../query/question.ts";
import { otherKinds } from "../../query/other-kinds.ts";
import type { Contains } from "../../../geography/shape.ts";
import { attributesWorth } from "./look.ts";
import { listingsMax } from "../../source.ts";
import type { Reading } from "./read-query.ts";
import { type Region, regionsOf } from "./region.ts";
import type { Leniency, Looking } from "./looking.ts";

/** A reading with so much leniency. */
export type Try = { question: Question; leniency: Leniency; regions: Region[] };

/** With the outline of its where, and whether the catalog has data there. */
export type OutlinedReading = Reading & { contains: Contains | null; isCovered?: boolean };

/** What a reading is searched by: a leniency, or relaxed and without the finer kind that was asked for. */
type Step = Leniency | "coarse";

/** From the strictest on; the next is tried when one finds nothing. */
const steps: readonly Step[] = ["exact", "typos", "relaxed", "coarse", "partial"];

/**
 * What a place around an outline loses: more than nearness and completeness, so that the same kind inside
 * comes first, and less than a tier of text, so that a mere word in a name inside does not.
 */
function outsidePenalty(question: Question): number {
  if (question.isWhole) return 0;
  return 110 + (question.attributes.length > 0 ? attributesWorth : 0);
}

/** A reading to search by one step; undefined when it would find what a stricter one found. */
export function tryOut(reading: OutlinedReading, step: Step, hl: string): Try | undefined {
  const { question: read, mayRelax } = reading;
  if (step === "exact" && (reading.isCorrected || read.isGuess)) return undefined;
  if (step === "relaxed" && (!mayRelax || read.categories.length === 0 || read.isKind)) return undefined;
  if (step === "partial" && !mayBePartial(reading)) return undefined;
  const question = step === "typos" ? correctKind(read, hl) : step === "coarse" ? withoutCuisine(read) : read;
  if (step === "coarse" && (!mayRelax || question === read)) return undefined;
  return {
    question,
    leniency: step === "coarse" ? "relaxed" : step,
    regions: regionsFor(reading, question, reading.mayWiden ? Infinity : 1),
  };
}

/** "Hotel Berlin" is in Berlin unless something is called so: one hotel of the catalog is not half of it, nor is the town. */
function mayBePartial({ question, isAside, hasAreaWords }: OutlinedReading): boolean {
  return question.words.length > 1 && !isAside && (!hasAreaWords || question.requiredMask !== undefined);
}

/** So many regions at most; what lies around an area without data is another area. */
function regionsFor({ where, contains, isCovered }: OutlinedReading, question: Question, most: number): Region[] {
  return regionsOf(where, contains, outsidePenalty(question)).slice(0, isCovered === false ? 1 : most);
}

/** How many regions a place is looked for in by its whole name: a town reaches farther than it is said to. */
const wholeNameRegionsMax = 3;

/** Looks beyond the where for what is called exactly as typed; undefined where there is nothing beyond. */
function tryWholeName(reading: OutlinedReading): Try | undefined {
  const { words, isKind, isGuess } = reading.question;
  if (words.length === 0 || isKind || isGuess || reading.isCorrected) return undefined;
  const question = { ...asName(words), isWhole: true };
  const regions = regionsFor(reading, question, wholeNameRegionsMax);
  return regions.length > 1 ? { question, leniency: "exact", regions } : undefined;
}

/**
 * Looks farther, step by step, while less than a page was found; that does not hang on the page
 * asked for. What was only guessed at is not looked for any farther once there is something.
 */
async function widen(looking: Looking, tried: Try | undefined) {
  const enough = tried && isSure(tried) ? listingsMax : 1;
  while (looking.count() < enough && looking.hasNext()) await looking.searchNext();
}

/** The nearest of a whole name is enough. */
function isSure({ question, leniency }: Try): boolean {
  return question.isWhole !== true && (leniency === "exact" || leniency === "relaxed" || question.isKind);
}

function isNothing(tries: readonly Looking[]): boolean {
  return tries.every((each) => each.count() === 0);
}

/**
 * Searches by all readings, from the strictest step on until something is found. Before it looks farther
 * away, it looks for what the words may mean besides, and for what is called exactly so.
 */
export async function searchReadings(
  readings: readonly OutlinedReading[],
  hl: string,
  look: (each: Try) => Looking,
): Promise<{ found: readonly Looking[]; tried: readonly Looking[] }> {
  const tried: Looking[] = [];

  async function searchTries(tries: readonly Try[]) {
    const found = tries.map(look);
    tried.push(...found);
    for (const each of found) await each.searchNext();
    return { tries, found };
  }

  function search(some: readonly OutlinedReading[], step: Step) {
    return searchTries(some.flatMap((reading) => tryOut(reading, step, hl) ?? []));
  }

  /** What the first of these steps finds that finds anything. */
  async function searchFirst(some: readonly OutlinedReading[], wanted: readonly Step[]): Promise<readonly Looking[]> {
    for (const step of wanted) {
      const { found } = await search(some, step);
      if (!isNothing(found)) return found;
    }
    return [];
  }

  /** Searches what the words may mean besides, unless the first meaning has something without their other words. */
  async function searchOthers(): Promise<readonly Looking[]> {
    if (others().length === 0 || (await searchFirst(readings, ["relaxed", "coarse"])).length > 0) return [];
    return searchFirst(others(), ["exact", "relaxed", "coarse"]);
  }

  async function searchFarther({ tries, found }: Awaited<ReturnType<typeof searchTries>>) {
    for (const [at, each] of found.entries()) await widen(each, tries[at]);
    return found;
  }

  let otherMeanings: OutlinedReading[] | undefined;
  const others = () => (otherMeanings ??= otherReadings(readings, hl));
  let wholeNames: readonly Looking[] = [];

  for (const step of steps) {
    const searched = await search(readings, step);
    // What is spelled right but lies farther away counts for less than a typo near by, unless it is all of a name.
    if (step === "exact" && isNothing(searched.found)) {
      wholeNames = await searchFarther(await searchTries(readings.flatMap((reading) => tryWholeName(reading) ?? [])));
      const found = await searchOthers();
      if (!isNothing(found)) return { found: [...wholeNames, ...found], tried };
      continue;
    }
    const found = await searchFarther(searched);
    if (!isNothing(found)) return { found: [...wholeNames, ...found], tried };
    if (step === "typos" && !isNothing(wholeNames)) return { found: wholeNames, tried };
  }
  for (const step of ["exact", "relaxed", "coarse"] as const) {
    const found = await searchFarther(await search(others(), step));
    if (!isNothing(found)) return { found, tried };
  }
  return { found: [], tried };
}

/** The same areas with other meanings of the words, for when the first has nothing there. */
function otherReadings(readings: readonly OutlinedReading[], hl: string): OutlinedReading[] {
  return readings.flatMap((reading) =>
    reading.mayMeanOther && !reading.question.isGuess
      ? otherKinds(reading.question, hl).map((question) => ({ ...reading, question }))
      : [],
  );
}
