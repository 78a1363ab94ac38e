import type { Coverage } from "./coverage.ts";
import { atLandmarks, type Landmark } from "./landmarks.ts";
import type { Point } from "../../../geography/points.ts";
import { atNamesakes, isNamed } from "./namesakes.ts";
import type { Reading } from "./read-query.ts";
import type { Leniency } from "./looking.ts";

type Look = {
  coverage: Coverage;
  locate: (landmark: Landmark) => Promise<Point | undefined>;
  /** Whether the catalog has a place that answers the reading. */
  hasAny: (reading: Reading, leniency: Leniency) => Promise<boolean>;
};

/**
 * Whether the catalog has data of where the question is about. What may be a name and not a far town after all is
 * looked up: "Hotel Paris" may stand in Vaduz. So is a question that names a where that nobody here knows.
 */
export async function isAnswerable(readings: readonly Reading[], { coverage, locate, hasAny }: Look): Promise<boolean> {
  if (readings.length === 0) return true;
  if (readings.some((reading) => reading.isUnplaced)) return isKnown(readings, { coverage, locate, hasAny });
  if (readings.some(({ where, isAside }) => !isAside && coverage.covers(where))) return true;
  for (const reading of readings) {
    if (reading.isAside && coverage.covers(reading.where) && (await hasAny(reading, "exact"))) return true;
  }
  // A name in a town of which the data set has but a few places, as across its border.
  const named = readings.filter((reading) => reading.namesakes && isNamed(reading));
  const settled = await atNamesakes(named, coverage, (reading) => hasAny(reading, "exact"));
  for (const reading of settled) if (await hasAny({ ...reading, mayWiden: false }, "exact")) return true;
  return false;
}

/** Whether the catalog has a place for a where that it does not know: a landmark, or a part of the name after all. */
async function isKnown(readings: readonly Reading[], { coverage, locate, hasAny }: Look): Promise<boolean> {
  for (const reading of await atLandmarks(readings, locate)) {
    if (!coverage.covers(reading.where)) continue;
    if (await hasAny(reading, "exact")) return true;
    // A kind of place and a word that is spelled almost so say nothing; a name from its first word on does.
    if ((reading.question.restMask & 1) !== 0 && (await hasAny(reading, "typos"))) return true;
  }
  return false;
}
