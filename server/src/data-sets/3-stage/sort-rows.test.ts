import assert from "node:assert/strict";
import { test } from "node:test";
import { cellOf } from "../../geography/cells.ts";
import { packRows } from "./stage-rows.ts";
import { place } from "../../sources/catalog/testing.ts";
import { createRowSorter } from "./sort-rows.ts";

const points = [47.1, -33.9, 47.1, 0, 89.9, -33.9].map((latitude, index) => ({
  latitude,
  longitude: 9.5 - index / 1e6,
}));

function packed(names: readonly string[]) {
  const items = names.map((name, index) =>
    place({ sourceId: `osm:n${index}`, name, ...points[index % points.length] }),
  );
  return packRows(items, 1);
}

function linesOf(chunks: Iterable<Uint8Array>): string[] {
  const text = Buffer.concat([...chunks]).toString("utf8");
  assert.ok(text === "" || text.endsWith("\n"));
  return text.split("\n").slice(0, -1);
}

test("rows of several batches come in the order of their cells, and as they came where they share one", () => {
  const batches = [packed(["a", "b", "c", "d", "e", "f"]), packed([]), packed(["é".repeat(400_000), "h", "喫茶店"])];
  const before = batches.flatMap(({ text }) => linesOf([text]));

  const sortRows = createRowSorter();
  sortRows([packed(["what was sorted before", "is not there any more"])]);
  const after = linesOf(sortRows(batches));

  const cells = [...points, ...points.slice(0, 3)].map(cellOf);
  const order = [...cells.keys()].sort((one, other) => (cells[one] ?? 0) - (cells[other] ?? 0) || one - other);
  assert.deepEqual(
    after,
    order.map((index) => before[index]),
  );
  assert.notDeepEqual(after, before);
});

test("a batch tells where its rows end and in which cells they lie", () => {
  const { text, ends, cells } = packed(["a", "喫茶店", ""]);

  assert.deepEqual([...cells], points.slice(0, 2).map(cellOf), "one without a name has no row");
  assert.equal(ends.at(-1), text.length);
  assert.match(Buffer.from(text.subarray(0, ends[0])).toString(), /^1\t[^\n]*\n$/);
});

test("no rows are no chunks", () => assert.deepEqual(createRowSorter()([]), []));
