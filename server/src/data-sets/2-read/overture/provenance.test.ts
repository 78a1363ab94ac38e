import assert from "node:assert/strict";
import { test } from "node:test";
import { parquetWriteBuffer } from "hyparquet-writer";
import { groupOf, listOf, textColumn, wkbPoint } from "../parquet/sample.ts";
import { read, temporaryFile } from "../read.ts";
import { readRowsInThread } from "../threads/threaded-reader.ts";
import { overtureRecord } from "./overture-record.ts";
import { readOverture } from "./overture.ts";

const adler = { id: "08f1", geometry: wkbPoint(9.52, 47.14), names: { primary: "Adler" } };

test("a place is as old as its publisher's last look at it, and has the licenses of all its sources", () => {
  const record = overtureRecord({
    ...adler,
    sources: [
      { property: "", dataset: "meta", license: "CDLA-Permissive-2.0", update_time: "2025-02-24T08:00:00.000Z" },
      { property: "", dataset: "Microsoft", license: null, update_time: "2025-05-01" },
      { property: "/properties/phones", dataset: "Foursquare", license: null, update_time: "2026-01-01T00:00:00Z" },
      { property: null, dataset: "AllThePlaces", license: "CC0-1.0", update_time: "not a date" },
    ],
  });

  assert.equal(record?.observedAt, "2025-05-01T00:00:00.000Z");
  assert.deepEqual(record.licenses, ["Apache-2.0", "CC0-1.0", "CDLA-Permissive-2.0"]);
});

test("what a publisher does not say is not made up", () => {
  const record = overtureRecord({ ...adler, sources: null, confidence: null, operating_status: null });

  assert.deepEqual([record?.observedAt, record?.licenses, record?.confidence], [undefined, undefined, undefined]);
  assert.equal(record?.details.businessStatus, null);
  assert.equal(overtureRecord({ ...adler, confidence: 7 })?.confidence, undefined);
});

test("a file's confidence and sources are read, and places of less confidence are left out", async (t) => {
  const content = Buffer.from(fileOf([0, 0.2, 0.5, 0.9, null]));
  const path = await temporaryFile(t, content);

  const { places } = await read(t, readOverture, content);

  assert.deepEqual(
    places.map(({ confidence }) => confidence),
    [0, 0.2, 0.5, 0.9, undefined],
  );
  assert.deepEqual(places[3]?.licenses, ["Apache-2.0", "CDLA-Permissive-2.0"]);
  assert.equal(places[3]?.observedAt, "2026-05-04T00:00:00.000Z");
  for (const workers of [0, 2]) {
    assert.deepEqual(await idsOf(path, workers, 0), [0, 1, 2, 3, 4]);
    // One that says nothing of its confidence stays.
    assert.deepEqual(await idsOf(path, workers, 0.5), [2, 3, 4]);
  }
});

async function idsOf(path: string, workers: number, minConfidence: number): Promise<number[]> {
  const ids: number[] = [];
  const options = { signal: new AbortController().signal, workers, minConfidence };
  for await (const { text } of readRowsInThread(path, "overture", options)) {
    const found = new TextDecoder().decode(text).matchAll(/\toverture:place-(\d+)\t/g);
    for (const [, id] of found) ids.push(Number(id));
  }
  return ids;
}

function fileOf(confidences: readonly (number | null)[]): ArrayBuffer {
  const sources = [
    { property: "", dataset: "meta", license: "CDLA-Permissive-2.0", update_time: "2026-05-04T00:00:00Z" },
    { property: "/properties/websites", dataset: "Foursquare", license: "Apache-2.0", update_time: null },
  ];
  return parquetWriteBuffer({
    schema: [
      { name: "root", num_children: 5 },
      textColumn("id"),
      { name: "geometry", type: "BYTE_ARRAY" },
      groupOf("names", 1),
      textColumn("primary"),
      { name: "confidence", type: "DOUBLE", repetition_type: "OPTIONAL" },
      ...listOf(
        "sources",
        groupOf("element", 4),
        ...["property", "dataset", "license", "update_time"].map((name) => textColumn(name)),
      ),
    ],
    columnData: [
      { name: "id", data: confidences.map((_, row) => `place-${row}`) },
      { name: "geometry", data: confidences.map(() => wkbPoint(9.52, 47.14)) },
      { name: "names", data: confidences.map(() => ({ primary: "Adler" })) },
      { name: "confidence", data: [...confidences] },
      { name: "sources", data: confidences.map(() => sources) },
    ],
  });
}
