import type { Clock } from "../../server/src/platform/clock.ts";

/** A clock that started with the real one and runs faster, the same in every process that is told when. */
export function fastClock(epochMs: number, factor: number): Clock {
  return { now: () => new Date(epochMs + (Date.now() - epochMs) * factor) };
}
