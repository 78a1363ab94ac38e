import { lexicon } from "../../languages/index.ts";
import type { WebmapRecord } from "./records.ts";
import { at, text } from "./values.ts";

const states: ReadonlySet<string> = new Set(["CLOSED", "CLOSED_PERMANENTLY", "CLOSED_TEMPORARILY"]);

/** As the map writes it in its languages, instead of the state itself. */
const stateByWords: ReadonlyMap<string, string> = new Map(
  [...lexicon.values()].flatMap(({ closed = {} }) => [
    ...(closed.permanently ?? []).map((words) => [wordsOf(words), "CLOSED_PERMANENTLY"] as const),
    ...(closed.temporarily ?? []).map((words) => [wordsOf(words), "CLOSED_TEMPORARILY"] as const),
  ]),
);

/** The state that a text names, which says nothing else besides. */
export function closedStateIn(told: string): string | undefined {
  return states.has(told) ? told : stateByWords.get(wordsOf(told));
}

const summaryOf = text(200);

/** What the map writes where it says otherwise whether the business is open now. */
export function closedStateOfSummary(record: WebmapRecord): string | undefined {
  const summary = summaryOf(at(record, [203, 1, 4, 0])) ?? summaryOf(at(record, [34, 4, 4]));
  return summary === undefined ? undefined : closedStateIn(summary);
}

function wordsOf(written: string): string {
  return written
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .replace(/[.。]$/, "")
    .trim()
    .toLowerCase();
}
