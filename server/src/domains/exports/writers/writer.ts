import { attributionsOf, type Attribution, familyOf } from "../../../sources/attribution.ts";
import type { Business } from "../../businesses/index.ts";

/** Where a writer's bytes go. A write resolves when more may come. */
export type Sink = { write(bytes: Uint8Array): Promise<void> };

/** Stored records as they come from the database: one JSON text to a line. */
export type Batch = {
  /** Whole lines, each with its line feed. */
  bytes: Buffer;
  lines(): string[];
  businesses(): Business[];
};

/** Writes one file. Whatever it holds back between batches has a bound. */
export type Writer = {
  write(batch: Batch): Promise<void>;
  end(): Promise<void>;
};

/** What a file says about itself. */
export type FileContext = {
  exportId: string;
  createdAt: string;
  schemaVersion: string;
  /** Names of the columns, in their order; null for all, which json and ndjson write as stored records. */
  columns: readonly string[] | null;
};

export type CreateWriter = (sink: Sink, context: FileContext) => Writer | Promise<Writer>;

export function createBatch(bytes: Buffer): Batch {
  let lines: string[] | undefined;
  const toLines = () => (lines ??= bytes.toString("utf8", 0, bytes.length - 1).split("\n"));
  return {
    bytes,
    lines: toLines,
    businesses: () => toLines().map((line) => JSON.parse(line) as Business), // we wrote it ourselves
  };
}

const placeIdStart = '"placeId":"';

/** Collects the families of the listings that pass, for the notices at the end of a file. */
export function createAttributionCollector() {
  const families = new Set<string>();
  return {
    add(batch: Batch) {
      for (const line of batch.lines()) {
        // The place id stands before any text of a third party, so the first match is the key itself.
        const at = line.indexOf(placeIdStart);
        const family = at < 0 ? undefined : familyOf(line.slice(at + placeIdStart.length, at + 64));
        if (family !== undefined) families.add(family);
      }
    },
    list: (): Attribution[] => attributionsOf(families),
  };
}
