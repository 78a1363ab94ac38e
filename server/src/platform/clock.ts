/** Code that reads the time takes one of these, so that a test can move it. */
export type Clock = {
  now(): Date;
};

export const systemClock: Clock = { now: () => new Date() };
