import assert from "node:assert/strict";

/**
 * The longest work that the event loop did without a pause, in milliseconds of this thread's processor
 * time: what other processes on a busy machine take away from us is not counted.
 */
export async function longestTaskMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  look();
  return longest;
}

/** No work is to hold up the others for longer. */
const pauseMsMax = 100;

export function assertShort(longestMs: number): void {
  const limitMs = longestMs <= pauseMsMax ? pauseMsMax : pauseMsMax * slowness();
  assert.ok(longestMs <= limitMs, `the event loop worked for ${longestMs} ms without a pause`);
}

/** What `roundTrip` takes of a processor for which the limits of tests were set. */
const usualMs = 1;
const rounds = 50;

/**
 * How many times as long work takes here as where the limits of tests were set, never less than once: the processor of
 * a busy machine may be slow for all of its programs.
 */
function slowness(): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) roundTrip();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, (user + system) / 1000 / rounds / usualMs);
}

function roundTrip(): unknown {
  return JSON.parse(JSON.stringify(Array.from({ length: 2_000 }, (_, index) => ({ a: index, b: `x${index}` }))));
}
