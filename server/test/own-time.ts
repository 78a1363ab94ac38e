import type { TestContext } from "node:test";

/** The same as the turns in which the watch of the database counts its patience. */
const turnMs = 50;

/**
 * A clock that goes on by turns of the event loop. On a busy machine a process may get no processor for seconds, in which
 * nothing of it can be in time: they do not count.
 */
export function startOwnTime(t: TestContext): { seconds(): number } {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), turnMs).unref();
  t.after(() => clearInterval(timer));
  return { seconds: () => (turns * turnMs) / 1_000 };
}
