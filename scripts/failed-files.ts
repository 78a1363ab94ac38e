import type { TestEvent } from "node:test/reporters";

/** A reporter that writes the test files in which something failed, one a line. */
// oxlint-disable-next-line import/no-default-export -- what --test-reporter loads
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  for await (const event of events) {
    if (event.type !== "test:fail" || event.data.todo !== undefined) continue;
    const file = fileOf(event.data);
    if (file === undefined) continue;
    if (!files.has(file)) yield `${file}\n`;
    files.add(file);
  }
}

/** The file that the runner ran: a test may stand in another that it imports, which does nothing on its own. */
function fileOf(data: { file?: string | undefined; entryFile?: string }): string | undefined {
  return data.entryFile ?? data.file;
}
