import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./csv.ts";
import { read } from "./read.ts";
import { newProgress } from "./reader.ts";

test("a table whose rows end in different ways keeps every row", async (t) => {
  const tables = [
    "name,lat,lon,category\r\nA,47.1,9.5,cafe\r\nB,47.2,9.5,bank\nC,47.3,9.5,bakery\n",
    "name,lat,lon,category\nA,47.1,9.5,cafe\nB,47.2,9.5,bank\r\nC,47.3,9.5,bakery\r\n",
    "name,lat,lon,category\rA,47.1,9.5,cafe\rB,47.2,9.5,bank\rC,47.3,9.5,bakery",
  ];
  for (const table of tables) {
    const { places } = await read(t, readCsv, table);

    assert.deepEqual(
      places.map(({ name, categories }) => [name, categories[0]]),
      [
        ["A", "amenity/cafe"],
        ["B", "amenity/bank"],
        ["C", "shop/bakery"],
      ],
    );
  }
});

test("a lone CR within a row does not end it", async (t) => {
  const { places } = await read(t, readCsv, "name,lat,lon,city\nA,47.1,9.5,Va\rduz\nB,47.2,9.5,Schaan\n");

  assert.deepEqual(
    places.map(({ name }) => name),
    ["A", "B"],
  );
});

test("rows of separators alone, as spreadsheets write them, are no rows that cannot be used", async (t) => {
  const progress = newProgress();

  const { places } = await read(t, readCsv, "\n\nname;lat;lon\nA;47,1;9,5\n;;\n ; ;\n;47,1;9,5\n;;\n", { progress });

  assert.equal(places.length, 1);
  assert.deepEqual(progress.skipped, { count: 1, samples: [{ at: "line 7", reason: "no name" }] });
});

test("quotation marks that are not closed are told by the row that they open in", async (t) => {
  const rows = Array.from({ length: 40 }, (_, index) => `N${index},47.1,9.5,z\n`);

  const reading = read(t, readCsv, `name,lat,lon,description\nA,47.1,9.5,"x"\nB,47.1,9.5,"open\n${rows.join("")}`);

  await assert.rejects(reading, { name: "ImportProblem", message: /open in row 3, the headings counted/ });
});
