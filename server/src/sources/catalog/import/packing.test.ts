import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { decodeBlock } from "../search/block.ts";
import { openPacking } from "./packing.ts";
import type { SearchedColumns } from "./searched-columns.ts";

test("threads pack the same blocks as this one, each into buffers of its own", async (t) => {
  const [here, threads] = [givenPacking(t, { cores: 1 }), givenPacking(t, { cores: 3 })];
  const leaves = Array.from({ length: 12 }, (_, leaf) => () => [columnsOf(leaf * 100, 40 + leaf)]);

  const expected = await Promise.all(leaves.map((found) => here.pack(found())));
  const packed = await Promise.all(leaves.map((found) => threads.pack(found())));

  assert.deepEqual(packed, expected);
  assert.deepEqual(
    packed.map(({ bytes }) => [...decodeBlock(bytes).numbers][0]),
    leaves.map((_, leaf) => leaf * 100),
  );
  assert.deepEqual(packed[0]?.bounds, [400_000_000, 90_000_000, 400_039_000, 90_000_000]);
});

test("a thread that fails ends what waits for it and what comes after, and an empty leaf is a block", async (t) => {
  const packing = givenPacking(t, { cores: 2 });
  const broken = { ...columnsOf(1, 1), numbers: new Uint8Array(3) };
  assert.equal((await packing.pack([])).places, 0);

  const failed = await Promise.allSettled([packing.pack([broken]), packing.pack([columnsOf(1, 1)])]);
  const [after] = await Promise.allSettled([packing.pack([columnsOf(1, 1)])]);

  assert.deepEqual(
    [...failed, after].map((outcome) => outcome?.status),
    ["rejected", "rejected", "rejected"],
  );
});

function givenPacking(t: TestContext, { cores }: { cores: number }) {
  const packing = openPacking(1_000, cores);
  t.after(() => packing.close());
  return packing;
}

/** Records as the server sends them. */
function columnsOf(first: number, count: number): SearchedColumns {
  const all = Array.from({ length: count }, (_, index) => index);
  const numbers = (bytes: number, write: (view: DataView, at: number, index: number) => void) => {
    const column = new Uint8Array(count * bytes);
    const view = new DataView(column.buffer);
    for (const index of all) write(view, index * bytes, index);
    return column;
  };
  const texts = (separator: string, text: (index: number) => string) =>
    new Uint8Array(new TextEncoder().encode(all.map(text).join(separator)));
  return {
    numbers: numbers(4, (view, at, index) => view.setInt32(at, first + index)),
    places: numbers(4, (view, at, index) => view.setInt32(at, first + index)),
    latitudes: numbers(8, (view, at, index) => view.setFloat64(at, 40 + index / 10_000)),
    longitudes: numbers(8, (view, at) => view.setFloat64(at, 9)),
    ranks: numbers(2, (view, at, index) => view.setInt16(at, index % 200)),
    countries: texts("\n", (index) => (index % 2 === 0 ? "LI" : "CH")),
    nameWords: texts("\n", (index) => `cafe ${first + index} süd`),
    otherWords: texts("\n", (index) => (index % 3 === 0 ? "" : `cafe vaduz ${index}`)),
    categories: texts("\n\n", (index) => (index % 5 === 0 ? "" : "amenity/cafe\nshop/bakery/bread")),
  };
}
