import { setImmediate } from "node:timers";

/**
 * Lets one caller go on in each round of the event loop, in the order they came. What hundreds ask for at once would
 * otherwise be done in one go, and everybody else waits for all of it.
 */
export function createTurns(): () => Promise<void> {
  const line: (() => void)[] = [];

  function next(): void {
    line.shift()?.();
    if (line.length > 0) setImmediate(next);
  }

  return () =>
    new Promise((resolve) => {
      line.push(resolve);
      if (line.length === 1) setImmediate(next);
    });
}
