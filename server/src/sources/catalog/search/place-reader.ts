import { createBatcher } from "../../../platform/batcher.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { type FoundRecord, readPlaces } from "./store.ts";

/** The records of each place, the leading one first, and the generation they were read in. */
type Reading = { generation: number; records: ReadonlyMap<number, FoundRecord[]> };

/** Reads the records of places by their numbers; searches that read at the same time share a statement. */
export function createPlaceReader(db: Queryable): (numbers: readonly number[]) => Promise<Reading> {
  return createBatcher(
    async (several: readonly (readonly number[])[]) => {
      const { generation, records } = await readPlaces(db, several.flat());
      const reading = { generation, records: byPlace(records) };
      return several.map(() => reading);
    },
    { batchMax: 32, concurrency: 2, isDivided: true },
  );
}

function byPlace(records: readonly FoundRecord[]): Map<number, FoundRecord[]> {
  const lists = new Map<number, FoundRecord[]>();
  for (const record of records) {
    const list = lists.get(record.place);
    if (!list) lists.set(record.place, [record]);
    else if (record.isLead) list.unshift(record);
    else list.push(record);
  }
  return lists;
}
