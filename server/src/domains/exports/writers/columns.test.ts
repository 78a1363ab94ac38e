import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Place } from "../../../places/place.ts";
import { allColumns, columnNames, peopleColumnNames } from "./columns.ts";

const reference = new URL("../../../../../docs/reference/export-columns.md", import.meta.url);

test("the reference lists every column in its order, with its type", async () => {
  const [, table = ""] = (await readFile(reference, "utf8")).split("## The columns");
  const documented = Array.from(table.matchAll(/^\| `(\w+)` \| (\w+) \| `([\w.]+)` \|$/gm), ([, name, type]) => [
    name,
    type,
  ]);

  assert.deepEqual(
    documented,
    allColumns.map(({ name, type }) => [name, type]),
  );
});

test("the reference lists the columns for people in their order, and each of them exists", async () => {
  const [before = ""] = (await readFile(reference, "utf8")).split("## The columns");
  const [, table = ""] = before.split("## Columns for people");
  const documented = Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name);

  assert.deepEqual(documented, peopleColumnNames);
  assert.deepEqual(
    peopleColumnNames.filter((name) => !columnNames.has(name)),
    [],
  );
});

test("every field of a place is in a column", async () => {
  const [, table = ""] = (await readFile(reference, "utf8")).split("## The columns");
  const exported = new Set(Array.from(table.matchAll(/`place\.(\w+)/g), ([, field]) => field));

  assert.deepEqual(
    Object.keys(Place.properties).filter((field) => !exported.has(field)),
    [],
  );
});
