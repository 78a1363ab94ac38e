import type { Coverage } from "./coverage.ts";
import type { Reading } from "./read-query.ts";
import { radiusMaxM, type Where, widening } from "./region.ts";

/**
 * A town of the world that has nothing of what is wanted gives way to another of the same name that has: "IHOP
 * Glendale" is in California when there is none in Arizona. A name is looked for around each of them as well, in the
 * countries that the catalog covers: the world's list knows the middle of a town and not how far it reaches.
 */
export async function atNamesakes(
  readings: readonly Reading[],
  coverage: Coverage,
  hasAny: (reading: Reading) => Promise<boolean>,
): Promise<Reading[]> {
  const settled: Reading[] = [];
  for (const reading of readings) settled.push(await settle(reading, coverage, hasAny));
  return settled;
}

async function settle(
  reading: Reading,
  coverage: Coverage,
  hasAny: (reading: Reading) => Promise<boolean>,
): Promise<Reading> {
  // What lies around an area without data is another area.
  const mayWidenAt = (where: Where) => reading.mayWiden && coverage.covers(where);
  for (const factor of !reading.namesakes ? [] : isNamed(reading) ? widening : widening.slice(0, 1)) {
    for (const where of [reading.where, ...(reading.namesakes ?? [])]) {
      const around = factor === 1 ? where : grown(where, factor, coverage);
      if (!around || !(await hasAny({ ...reading, where: around, mayWiden: false }))) continue;
      return { ...reading, where: around, mayWiden: mayWidenAt(where) };
    }
  }
  return { ...reading, mayWiden: mayWidenAt(reading.where) };
}

function grown(where: Where, factor: number, coverage: Coverage): Where | undefined {
  if (where.kind !== "circle" || where.countryCode === undefined) return undefined;
  if (!coverage.covers({ kind: "country", countryCode: where.countryCode })) return undefined;
  return { ...where, radiusM: Math.min(radiusMaxM, where.radiusM * factor) };
}

/** Whether a reading wants what is called so, and not just any of a kind. */
export function isNamed({ question }: Reading): boolean {
  return !question.isKind && !question.isAnything;
}
