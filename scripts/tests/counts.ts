import type { TestEvent } from "node:test/reporters";

export type Counts = { passed: number; failed: number; skipped: number };

/** A reporter that writes how many tests passed, failed and were skipped, as JSON. */
// oxlint-disable-next-line import/no-default-export -- what --test-reporter loads
export default async function* testCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== "test:summary" || event.data.file !== undefined) continue;
    const { tests, passed, skipped, todo } = event.data.counts;
    const failed = tests - passed - skipped - todo;
    yield JSON.stringify({ passed, failed, skipped: skipped + todo } satisfies Counts);
  }
}
