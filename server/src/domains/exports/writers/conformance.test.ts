import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { check } from "@placemarkio/check-geojson";
import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import readXlsx from "read-excel-file/node";
import { hostileBusinesses } from "../../../../test/hostile-businesses.ts";
import { aPlace } from "../../../../test/place.ts";
import { makeTempFolder, removeFolder } from "../../../../test/temp-folder.ts";
import type { Place } from "../../../places/place.ts";
import { newUuid } from "../../../platform/ids.ts";
import type { Business } from "../../businesses/index.ts";
import { type Format, formats } from "../export.ts";
import { allColumns as columns, columnsOf, peopleColumnNames } from "./columns.ts";
import { encodeFile } from "./encode.ts";
import { sheetHead, styles } from "./xlsx-parts.ts";

const stored = hostileBusinesses();
const split = [
  { opens: "08:00", closes: "12:00" },
  { opens: "13:30", closes: "18:00" },
];
const context = {
  exportId: "exp_01kaaaaaaaaaaaaaaaaaaaaaaa",
  createdAt: "2026-11-15T00:00:00.000Z",
  schemaVersion: "2026-09-22",
  columns: null,
};

function aBusiness(place: Partial<Place>): Business {
  return { schemaVersion: "2026-09-22", businessId: newUuid(), revision: 1, place: aPlace(place) };
}

async function* linesOf(businesses: readonly Business[], chunkBytes = 1_000): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(businesses.map((business) => `${JSON.stringify(business)}\n`).join(""));
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

async function encode(
  t: TestContext,
  format: Format,
  { businesses = stored, names = null }: { businesses?: readonly Business[]; names?: readonly string[] | null } = {},
) {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const path = join(folder, `file.${format}`);
  const encoded = await encodeFile(linesOf(businesses), { format, path, context: { ...context, columns: names } });
  const bytes = await readFile(path);
  assert.equal(encoded.sizeBytes, bytes.length);
  assert.equal(encoded.rowCount, businesses.length);
  return { path, bytes };
}

/** The cells of a business as a table without nesting and without nulls in lists would have them. */
const cellsOf = (business: Business) => columns.map(({ read }) => read(business));

test("ndjson: each line is a stored record", async (t) => {
  const { bytes } = await encode(t, "ndjson");

  const lines = bytes.toString().trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    stored,
  );
});

test("json: records are the stored ones, and the sources' notices stand beside them", async (t) => {
  const { bytes } = await encode(t, "json");

  const { records, attribution, export_id: exportId } = JSON.parse(bytes.toString());
  assert.deepEqual(records, stored);
  assert.equal(exportId, context.exportId);
  assert.match(attribution[0].notice, /OpenStreetMap/);
});

test("csv: a reader gets back what was stored, null and empty told apart", async (t) => {
  const { bytes } = await encode(t, "csv");

  const [head, ...rows] = parse(bytes, {
    record_delimiter: "\r\n",
    cast: (value, { quoting, header }) => (value === "" && !quoting && !header ? null : value),
  }) as (string | null)[][];
  assert.deepEqual(
    head,
    columns.map(({ name }) => name),
  );
  const read = rows.map((row) =>
    row.map((cell, index) => {
      const type = columns[index]?.type ?? "text";
      if (cell === null) return null;
      if (type === "text" || type === "timestamp") return cell.replace(/^'('*[=+\-@＝＋－＠\t\r\n])/, "$1");
      return JSON.parse(cell);
    }),
  );
  assert.deepEqual(read, stored.map(cellsOf));
});

test("csv: no cell of text begins with what a spreadsheet runs", async (t) => {
  const { bytes } = await encode(t, "csv");

  const [, ...rows] = parse(bytes, { record_delimiter: "\r\n" });
  const texts = rows.flatMap((row) => row.filter((_, index) => columns[index]?.type !== "number"));
  assert.ok(texts.includes("+43 1 234 56 78"), "a phone number alone stays as it is");
  assert.ok(texts.includes("'＋81 3 1234 5678"), "a sign in full width is no phone number's");
  assert.deepEqual(
    texts.filter((text) => /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^\+[\d ()-]+$/.test(text)),
    [],
  );
});

test("geojson: a valid FeatureCollection whose properties are what was stored", async (t) => {
  const { bytes } = await encode(t, "geojson");

  const collection = check(bytes.toString()) as any;
  assert.equal(collection.type, "FeatureCollection");
  assert.match(collection.attribution[0].notice, /OpenStreetMap/);
  assert.deepEqual(
    collection.features.map(({ properties }: any) => columns.map(({ name }) => properties[name])),
    stored.map(cellsOf),
  );
  const points = stored.map(({ place: { location } }) => location && [location.longitude, location.latitude]);
  assert.deepEqual(
    collection.features.map(({ geometry }: any) => geometry?.coordinates ?? null),
    points,
  );
});

test("parquet: a reader gets back what was stored, as GeoParquet", async (t) => {
  const { bytes } = await encode(t, "parquet");

  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const rows = (await parquetReadObjects({ file, compressors })) as Record<string, any>[];
  const read = rows.map((row) => columns.map(({ name, type }) => plain(type, row[name])));
  assert.deepEqual(read, stored.map(cellsOf));
  assert.deepEqual(
    rows.map(({ geometry }) => geometry?.coordinates ?? null),
    stored.map(({ place: { location } }) => location && [location.longitude, location.latitude]),
  );
  const metadata = parquetMetadata(file).key_value_metadata ?? [];
  const value = (key: string) => JSON.parse(metadata.find((each) => each.key === key)?.value ?? "null");
  assert.equal(value("geo").primary_column, "geometry");
  assert.match(value("attribution")[0].notice, /OpenStreetMap/);
});

function plain(type: string, value: any) {
  if (value === undefined || value === null) return null;
  if (type === "integer") return Number(value);
  return type === "timestamp" ? value.toISOString() : value;
}

test("xlsx: a reader gets back what was stored, as far as a spreadsheet can hold it", async (t) => {
  const { path } = await encode(t, "xlsx");

  const sheets = (await readXlsx(path, { trim: false })) as any;
  const {
    data: [head, ...rows],
  } = sheets.find(({ sheet }: any) => sheet === "Businesses");
  assert.deepEqual(
    head,
    columns.map(({ name }) => name),
  );
  const asInSpreadsheet = (value: unknown, type: string) => {
    if (value === null || value === "") return null;
    if (type === "timestamp") return new Date(value as string).toISOString();
    if (typeof value === "number" || typeof value === "boolean") return value;
    return (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\r\n?/g, "\n");
  };
  for (const [index, row] of rows.entries()) {
    const read = columns.map(({ type }, at) =>
      type === "timestamp" ? (row[at]?.toISOString() ?? null) : unescaped(row[at] ?? null),
    );
    const expected = cellsOf(stored[index] as Business).map((value, at) =>
      asInSpreadsheet(value, columns[at]?.type ?? ""),
    );
    assert.deepEqual(read, expected, `row ${index}`);
  }
  assert.equal(rows.length, stored.length);
  const { data: about } = sheets.find(({ sheet }: any) => sheet === "About");
  assert.ok(about.some((row: string[]) => /OpenStreetMap/.test(row[1] ?? "")));
});

test("xlsx: the styles name the default one, without which readers warn", () => {
  assert.match(
    styles,
    /<\/cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"\/><\/cellStyles>/,
  );
});

const person = aBusiness({
  name: "Bäckerei Ospelt",
  phone: "+4232321234",
  address: { ...aPlace().address, countryCode: "LI" },
  emails: ["info@ospelt.example", "shop@ospelt.example"],
  socialProfiles: [
    "https://www.facebook.com/ospelt",
    "https://x.com/ospelt",
    "https://de-de.facebook.com/ospelt.vaduz",
    "https://vk.com/ospelt",
  ],
  openingHours: {
    raw: null,
    weekly: {
      monday: split,
      tuesday: split,
      wednesday: [],
      thursday: split,
      friday: split,
      saturday: [{ opens: "08:00", closes: "16:00" }],
      sunday: [],
    },
  },
});
const shownToPeople: Record<string, string> = {
  name: "Bäckerei Ospelt",
  phone: "+423 232 12 34",
  email: "info@ospelt.example; shop@ospelt.example",
  facebook: "https://www.facebook.com/ospelt; https://de-de.facebook.com/ospelt.vaduz",
  x: "https://x.com/ospelt",
  otherProfiles: "https://vk.com/ospelt",
  hours: "Mon-Tue 08:00-12:00, 13:30-18:00; Wed closed; Thu-Fri 08:00-12:00, 13:30-18:00; Sat 08:00-16:00; Sun closed",
  businessId: person.businessId,
};

test("csv and xlsx for people: a value to a cell as text, and the id last", async (t) => {
  const options = { businesses: [person], names: peopleColumnNames };
  const [csv] = parse<Record<string, string>>((await encode(t, "csv", options)).bytes, { columns: true });
  const sheets = (await readXlsx((await encode(t, "xlsx", options)).path)) as any;
  const [head, cells] = sheets.find(({ sheet }: any) => sheet === "Businesses").data;
  const xlsx = Object.fromEntries(head.map((name: string, at: number) => [name, cells[at]]));

  assert.deepEqual(head, peopleColumnNames);
  assert.deepEqual(Object.keys(csv ?? {}), peopleColumnNames);
  assert.equal(peopleColumnNames.at(-1), "businessId");
  for (const [name, text] of Object.entries(shownToPeople)) {
    assert.equal(csv?.[name], text);
    assert.equal(xlsx[name], text);
  }
  assert.equal(csv?.["linkedin"], "");
});

// A spreadsheet takes `+4232321234` and `0041791234567` for numbers, and `+1-212-555-0100` for a sum.
test("csv: a phone number has a blank, a plus and no apostrophe, however it was stored", async (t) => {
  const shown = {
    "+4232321234": "+423 232 12 34",
    "+1-212-555-0100": "+1 212 555 0100",
    "079 123 45 67": "+41 79 123 45 67",
    "+999123456": "+99 9123456",
    "+43 1 234 56 78": "+43 1 234 56 78",
    "call us": "call us",
  };
  const businesses = Object.keys(shown).map((phone) =>
    aBusiness({ phone, address: { ...aPlace().address, countryCode: "CH" } }),
  );

  const { bytes } = await encode(t, "csv", { businesses, names: ["phone"] });

  assert.deepEqual(parse(bytes).flat(), ["phone", ...Object.values(shown)]);
});

for (const format of formats) {
  test(`${format}: a file of chosen columns has these, in their order`, async (t) => {
    const names = ["hours", "name"];

    const { bytes, path } = await encode(t, format, { businesses: [person], names });

    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const read: Record<Format, () => unknown> = {
      csv: () => parse(bytes)[0],
      xlsx: async () => ((await readXlsx(path)) as any)[0].data[0],
      ndjson: () => Object.keys(JSON.parse(bytes.toString())),
      json: () => Object.keys(JSON.parse(bytes.toString()).records[0]),
      geojson: () => Object.keys(JSON.parse(bytes.toString()).features[0].properties),
      parquet: async () => Object.keys((await parquetReadObjects({ file, compressors }))[0] ?? {}).slice(0, -1),
    };
    assert.deepEqual(await read[format](), names);
  });
}

test("xlsx: columns have widths, and the head stays in view", () => {
  const head = sheetHead(columnsOf(["name", "hours"]));

  assert.match(head, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
  assert.match(head, /<cols><col min="1" max="1" width="34" customWidth="1"\/><col min="2" max="2" width="48" /);
});

// The reader leaves the escape of ECMA-376 (ST_Xstring) to whoever reads the text.
function unescaped(cell: unknown) {
  return typeof cell === "string" ? cell.replaceAll("_x005F_", "_") : cell;
}

for (const format of formats) {
  test(`${format}: a file of no rows is still a whole file`, async (t) => {
    const { bytes } = await encode(t, format, { businesses: [] });
    if (format === "json") assert.deepEqual(JSON.parse(bytes.toString()).records, []);
    if (format === "geojson") assert.deepEqual((check(bytes.toString()) as any).features, []);
  });
}
