/** Code that reads the time takes one of these, so that a test can move it. */
export type Clock = {
  now(): Date;
};

export const systemClock: Clock = { now: () => new Date() };

/**
 * Milliseconds that go on evenly, for waits and ages within one process: the system's clock may be set, and one that was
 * set back by hours would lengthen every wait by as much. A test's clock stands for itself.
 */
export function elapsedMs(clock: Clock): number {
  return clock === systemClock ? performance.now() : clock.now().getTime();
}
