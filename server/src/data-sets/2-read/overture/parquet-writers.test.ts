import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readFile } from "../read.ts";
import { readOverture } from "./overture.ts";
import { readWithLibrary } from "./read-with-library.ts";

const folder = join(import.meta.dirname, "../parquet/fixtures");
/** The same places in every file: the library cannot unpack empty pages of LZ4 itself. */
const plainFile = join(folder, "pyarrow-none-v1-plain.parquet");
const files = readdirSync(folder).filter((name) => name.endsWith(".parquet"));

for (const writer of ["pyarrow", "duckdb", "arrow-rs", "parquet-mr"]) {
  test(`what ${writer} writes is read in every codec, page version and encoding, empty columns too`, async () => {
    const expected = await readWithLibrary(readFileSync(plainFile));
    const written = files.filter((name) => name.startsWith(`${writer}-`));

    assert.ok(written.length >= 12, written.join(" "));
    for (const name of written) {
      const { places } = await readFile(readOverture, join(folder, name));

      assert.deepEqual(places, expected, name);
      assert.equal(places.length, 10, name);
      assert.deepEqual(
        places.map((place) => place.details.phones ?? []),
        places.map((_, row) => (row % 3 === 2 ? ["+4232392020", `+42323920${`${row}`.padStart(2, "0")}`] : [])),
        name,
      );
    }
  });
}
