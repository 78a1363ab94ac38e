import assert from "node:assert/strict";
import { test } from "node:test";
import type { ColumnMetaData, SchemaElement } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeRleBitPackedHybrid } from "hyparquet-writer/src/encoding.js";
import { writePlain } from "hyparquet-writer/src/plain.js";
import { openLeaf } from "./leaf.ts";

/** An optional list of optional texts, as most writers spell it. */
const listOfTexts: SchemaElement[] = [
  { name: "phones", repetition_type: "OPTIONAL", num_children: 1 },
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  { name: "element", repetition_type: "OPTIONAL", type: "BYTE_ARRAY" },
];

/** [repetition, definition, value]: 3 has a value, 2 is a null in a list, 1 an empty list, 0 no list. */
type Entry = [0 | 1, 0 | 1 | 2 | 3, string?];

test("a row goes on in the next page, and what is null, empty or missing stays so", async () => {
  const { leaf } = openPagesOf([
    [
      [0, 3, "a"],
      [1, 2],
    ],
    [
      [1, 3, "b"],
      [0, 1],
      [0, 0],
      [0, 3, "c"],
    ],
    [[1, 3, "d"]],
    [[0, 2]],
  ]);

  assert.deepEqual(await leaf.read(0, 2), [["a", undefined, "b"], []]);
  assert.deepEqual(await leaf.read(2, 3), [[], ["c", "d"], [undefined]]);
});

test("of a list the first element alone is read where one is wanted", async () => {
  const { leaf } = openPagesOf(
    [
      [
        [0, 2],
        [1, 3, "b"],
        [0, 3, "c"],
      ],
      [
        [1, 3, "d"],
        [0, 0],
      ],
    ],
    "one",
  );

  assert.deepEqual(await leaf.read(0, 3), [undefined, "c", undefined]);
});

test("rows are passed over and read in their order, and hardly a page is read twice", async () => {
  const rows = Array.from({ length: 400 }, (_, row) => [`${row}`.padEnd(1_000), `${row}+`]);
  const entries = rows.flatMap(([one = "", two = ""]): Entry[] => [
    [0, 3, one],
    [1, 3, two],
  ]);
  const pages = Array.from({ length: 40 }, (_, page) => entries.slice(page * 20, page * 20 + 20));
  const { leaf, bytesRead, size } = openPagesOf(pages);

  for (let from = 7; from < 400; from += 50) {
    assert.deepEqual(await leaf.read(from, 20), rows.slice(from, from + 20));
  }

  assert.ok(bytesRead() < 1.5 * size, `${bytesRead()} of ${size} bytes`);
  await assert.rejects(leaf.read(0, 1), /in their order/);
});

test("a column with fewer rows than its group is damaged", async () => {
  const { leaf } = openPagesOf([[[0, 3, "a"]], [[0, 3, "b"]]]);

  await assert.rejects(leaf.read(0, 3), /ends before its row group/);
});

test("a page that says it holds more than a page may is refused before anything is made of it", async () => {
  const large = openPagesOf([[[0, 3, "a"]]], "all", { bytes: 65 * 1024 * 1024 });
  const many = openPagesOf([[[0, 3, "a"]]], "all", { entries: 9 * 1024 * 1024 });

  await assert.rejects(large.leaf.read(0, 1), { name: "ImportProblem", message: /page of more than 64 MB/ });
  await assert.rejects(many.leaf.read(0, 1), { name: "ImportProblem", message: /more than eight million values/ });
});

/** A column of pages of the first version, which say how many values they hold and not how many rows. */
function openPagesOf(pages: Entry[][], takes: "one" | "all" = "all", said: { bytes?: number; entries?: number } = {}) {
  const file = new ByteWriter();
  for (const entries of pages) {
    const page = new ByteWriter();
    writeLevels(
      page,
      entries.map(([repetition]) => repetition),
      1,
    );
    writeLevels(
      page,
      entries.map(([, definition]) => definition),
      2,
    );
    const texts = entries.flatMap(([, , text]) => (text === undefined ? [] : [Buffer.from(text)]));
    writePlain(page, texts, "BYTE_ARRAY", undefined);
    writePageHeader(file, {
      type: "DATA_PAGE",
      uncompressed_page_size: said.bytes ?? page.offset,
      compressed_page_size: page.offset,
      data_page_header: {
        num_values: said.entries ?? entries.length,
        encoding: "PLAIN",
        definition_level_encoding: "RLE",
        repetition_level_encoding: "RLE",
      },
    });
    file.appendBytes(page.getBytes());
  }
  const bytes = Buffer.from(file.getBytes());
  const column: ColumnMetaData = {
    type: "BYTE_ARRAY",
    encodings: ["PLAIN"],
    path_in_schema: listOfTexts.map(({ name }) => name),
    codec: "UNCOMPRESSED",
    num_values: BigInt(pages.flat().length),
    total_uncompressed_size: BigInt(bytes.length),
    total_compressed_size: BigInt(bytes.length),
    data_page_offset: 0n,
  };
  let read = 0;
  const leaf = openLeaf({ column, path: listOfTexts, takes, make: String }, async (start, end) => {
    read += end - start;
    return bytes.subarray(start, end);
  });
  return { leaf, size: bytes.length, bytesRead: () => read };
}

function writeLevels(page: ByteWriter, levels: number[], bits: number): void {
  const packed = new ByteWriter();
  writeRleBitPackedHybrid(packed, levels, bits);
  page.appendUint32(packed.offset);
  page.appendBytes(packed.getBytes());
}
