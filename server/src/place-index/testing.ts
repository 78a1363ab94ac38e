import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createIndexFile } from "./index-file.ts";
import { type Ask, openReader } from "./reader.ts";
import type { PlaceRow, RecordRow } from "./rows.ts";
import { layout } from "./schema.ts";

const emptyRecord = { address: { street: null }, details: {}, otherNames: [] };

/** A place with one record. */
export function givenRow(place: number, record: Partial<RecordRow>): PlaceRow {
  return {
    place,
    businessId: `business-${place}`,
    revision: 1,
    records: [
      {
        number: place,
        dataSetId: 1,
        countryCode: "CH",
        areas: [],
        rank: 100,
        latitude: 0,
        longitude: 0,
        nameWords: "",
        otherWords: "",
        categories: [],
        text: JSON.stringify(emptyRecord),
        ...record,
      },
    ],
  };
}

/** A finished file of these places, and a reader of it. */
export function givenFile(t: TestContext, rows: readonly PlaceRow[]) {
  const folder = mkdtempSync(join(tmpdir(), "waypost-index-"));
  const path = join(folder, "index.sqlite");
  const file = createIndexFile(path);
  file.transaction(() => file.put(rows));
  file.finish({ installation: "test", layout, generation: 1, generationId: "one" });
  file.close();
  const reader = openReader(path);
  t.after(() => {
    reader.close();
    rmSync(folder, { recursive: true });
  });
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const ask = (asked: Ask) => reader.answer(asked, { until: Infinity, stop });
  return { path, reader, ask };
}
