import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createIndexFile } from "./index-file.ts";
import { type Ask, openReader } from "./reader.ts";
import type { AreaRow, PlaceRow, RecordRow } from "./rows.ts";
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

/** A town or boundary of this id. */
export function givenArea(sourceId: string, area: Partial<AreaRow> & Pick<AreaRow, "names">): AreaRow {
  return {
    sourceId,
    dataSetId: 1,
    name: area.names[0] ?? "",
    kind: "town",
    latitude: 0,
    longitude: 0,
    box: null,
    population: null,
    countryCode: "CH",
    level: null,
    ...area,
  };
}

/** A finished file of these places and areas, and a reader of it. */
export function givenFile(t: TestContext, rows: readonly PlaceRow[], areas: readonly AreaRow[] = []) {
  const folder = mkdtempSync(join(tmpdir(), "waypost-index-"));
  const path = join(folder, "index.sqlite");
  const file = createIndexFile(path);
  file.transaction(() => {
    file.replaceAreas(areas);
    file.put(rows);
  });
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
