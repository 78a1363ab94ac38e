/** Code that reads the time takes one of these, so that a test can move it. */
export type Clock = {
  now(): Date;
  /** Absent where the clock stands for itself, as a test's does. */
  elapsedMs?(): number;
};

export const systemClock: Clock = { now: () => new Date(), elapsedMs: () => performance.now() };

/**
 * Milliseconds that go on evenly, for waits and ages within one process: the system's clock may be set, and one that was
 * set back by hours would lengthen every wait by as much.
 */
export function elapsedMs(clock: Clock): number {
  return clock.elapsedMs?.() ?? clock.now().getTime();
}
