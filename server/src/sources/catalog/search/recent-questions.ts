import type { SourceQuery } from "../../source.ts";
import type { Areas } from "./areas.ts";
import { type QueryText, type Reading, readQuery } from "./read-query.ts";

/** The numbers of the places on a page, best first, and whether no block that could matter was left out. */
export type Choice = { numbers: readonly number[]; isComplete: boolean; matching?: number };

/** The old ones are as many as the young. */
const youngMax = 1_000;

/**
 * Reads queries, and keeps the readings of the latest: the check of coverage and the search read the same
 * query. Areas belong to one generation of the catalog, and so do these.
 */
export function createReadings(areas: Areas) {
  const recent = createRecent<readonly Reading[]>();

  return (query: QueryText): readonly Reading[] => {
    const key = keyOf(query);
    return recent.find(key) ?? recent.keep(key, readQuery(query, areas));
  };
}

/** The pages of one generation that were chosen lately: clients repeat their questions. */
export function createChoices() {
  const recent = createRecent<Choice>();

  return {
    find: (query: SourceQuery) => recent.find(pageKeyOf(query)),
    keep: (query: SourceQuery, choice: Choice) => recent.keep(pageKeyOf(query), choice),
  };
}

export type Choices = ReturnType<typeof createChoices>;

function pageKeyOf(query: SourceQuery): string {
  return `${query.page}\0${keyOf(query)}`;
}

function keyOf({ q, hl, gl = "", ll = "" }: QueryText): string {
  return `${q}\0${hl}\0${gl}\0${ll}`;
}

/** Keeps values that were used lately: those unused since the young were full the time before are let go at once. */
function createRecent<Value extends object>() {
  let young = new Map<string, Value>();
  let old = young;

  function find(key: string): Value | undefined {
    const known = young.get(key);
    if (known) return known;
    const rediscovered = old.get(key);
    return rediscovered && keep(key, rediscovered);
  }

  function keep(key: string, value: Value): Value {
    young.set(key, value);
    if (young.size >= youngMax) {
      old = young;
      young = new Map();
    }
    return value;
  }

  return { find, keep };
}
