import type { TestEvent } from "node:test/reporters";

/** A reporter that writes the test files in which something failed, one a line. */
// oxlint-disable-next-line import/no-default-export -- what --test-reporter loads
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  for await (const event of events) {
    if (event.type !== "test:fail" || event.data.file === undefined || event.data.todo !== undefined) continue;
    if (!files.has(event.data.file)) yield `${event.data.file}\n`;
    files.add(event.data.file);
  }
}
