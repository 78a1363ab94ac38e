import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { writeSample } from "../../server/src/data-sets/2-read/pbf/sample.ts";
import { advisoryLocks } from "../../server/src/platform/postgres/advisory-locks.ts";
import { openBulkConnection } from "../../server/src/platform/postgres/bulk.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { tableFields } from "../../server/src/languages/index.ts";
import { mappingFields } from "./catalog.ts";
import { givenInstallation, said } from "./installation.ts";

const table = (count: number) =>
  ["name,lat,lon,category", ...Array.from({ length: count }, (_, index) => `Cafe ${index},47.${index},9.5,cafe`)].join(
    "\n",
  );

test("a table is imported, listed, counted, imported again and removed", async (t) => {
  const { run, file } = await givenInstallation(t);
  const path = await file("cafes.csv", table(3));

  const first = await run("catalog", "import", path, "--json");
  const again = await run("catalog", "import", await file("cafes.csv", table(2)));
  const list = await run("catalog", "list", "--json");
  const stats = await run("catalog", "stats");
  const removed = await run("catalog", "remove", "cafes");

  assert.equal(JSON.parse(first.out).added, 3);
  assert.match(again.out, /0 new, 0 changed, 2 as before, 1 closed/);
  assert.match(again.error, /^Reading/m, "without a terminal progress is plain lines");
  assert.ok(!again.error.includes("\u001b") && !again.error.includes("█"));
  assert.deepEqual(
    JSON.parse(list.out).data_sets.map(({ name, places, closed }: any) => ({ name, places, closed })),
    [{ name: "cafes", places: 2, closed: 1 }],
  );
  assert.match(stats.out, /2 places/);
  assert.match(removed.out, /Removed cafes with 2 places\./);
  assert.equal((await run("catalog", "remove", "cafes")).code, 4);
});

test("a folder of files is one data set, and the last of them counts", async (t) => {
  const { run, file, connection } = await givenInstallation(t);
  const folder = join(await file("other.csv", table(1)), "../release");
  await mkdir(folder, { recursive: true });
  const write = (name: string, ...rows: string[]) =>
    writeFile(join(folder, name), ["id,name,lat,lon,category", ...rows].join("\n"));
  await write("part-2.csv", "a,Moved,47.2,9.5,cafe", "c,Third,47.3,9.5,cafe");
  await write("part-1.csv", "a,First,47.1,9.5,cafe", "b,Second,47.1,9.6,cafe", "x,Nowhere,,,cafe");
  await writeFile(join(folder, "_SUCCESS"), "");

  const imported = await run("catalog", "import", folder, "--allow-skipped", "40", "--json");
  const again = await run("catalog", "import", folder, "--allow-skipped", "40");
  await writeFile(join(folder, "part-3.csv"), "PK\u0003\u0004rest");
  const refused = await run("catalog", "import", folder);
  const empty = join(folder, "empty");
  await mkdir(empty);
  const nothing = await run("catalog", "import", empty);

  const { name, added, skipped, skipped_rows: rows } = JSON.parse(imported.out);
  assert.deepEqual([name, added, skipped], ["release", 3, 1]);
  assert.deepEqual(rows, [{ at: "part-1.csv, line 4", reason: "no coordinates that can be read" }]);
  assert.match(again.out, /0 new, 0 changed, 3 as before, 0 closed/);
  assert.match(refused.error, /release: part-3\.csv: .*Nothing was changed\.\n$/);
  assert.match(nothing.error, /The folder holds no files; .*Nothing was changed\.\n$/);
  const db = await openBulkConnection(connection, new AbortController().signal);
  t.after(() => db.end());
  const { rows: stored } = await db.query<{ name: string }>(sql`
    select record::json ->> 'name' as name
    from catalog_records
    order by name
  `);
  assert.deepEqual(
    stored.map((row) => row.name),
    ["Moved", "Second", "Third"],
  );
});

test("a folder is called what it is called, however it is told", async (t) => {
  const { run, file } = await givenInstallation(t);
  const folder = join(await file("other.csv", table(1)), "../release");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "cafes.csv"), table(1));

  const imported = await run("catalog", "import", `${folder}/.`, "--json");
  const foreign = await run("catalog", "import", "ftp://example.org/cafes.csv");

  assert.equal(JSON.parse(imported.out).name, "release");
  assert.match(foreign.error, /^ftp:\/\/example\.org\/cafes\.csv is no address that can be read; write it as https:/);
});

test("two tables that number their rows alike are places of their own, before and after a second import", async (t) => {
  const { run, file } = await givenInstallation(t);
  const rows = (city: string, latitude: number) =>
    ["id,name,lat,lon", ...[1, 2, 3].map((id) => `${id},${city} ${id},${latitude}.${id},9.5`)].join("\n");
  const [vaduz, bern] = [await file("vaduz.csv", rows("Vaduz", 47)), await file("bern.csv", rows("Bern", 46))];

  await run("catalog", "import", vaduz);
  await run("catalog", "import", bern);
  const stats = await run("catalog", "stats", "--json");
  const again = await run("catalog", "import", vaduz);

  assert.equal(JSON.parse(stats.out).places, 6);
  assert.doesNotMatch(stats.out, /"[a-z]+[A-Z]\w*":/, "names in JSON are written as everywhere, with underscores");
  assert.match(again.out, /0 new, 0 changed, 3 as before, 0 closed/);
});

test("rows that a later one of the same id replaces are told", async (t) => {
  const { run, file } = await givenInstallation(t);
  const rows = ["id,name,lat,lon", "7,Adler Vaduz,47.1,9.5", "7,Adler Schaan,47.2,9.5", "8,Ochsen,47.1,9.5"];
  const path = await file("chains.csv", rows.join("\n"));

  const imported = await run("catalog", "import", path);
  const again = await run("catalog", "import", path, "--json");

  assert.match(imported.out, /2 new, .*closed\.\n1 left out for a later one of the same id/);
  assert.deepEqual([JSON.parse(again.out).places, JSON.parse(again.out).repeated], [2, 1]);
});

test("columns with names of their own are mapped", async (t) => {
  const { run, file } = await givenInstallation(t);
  const path = await file("odd.csv", "Wer;Oben;Rechts\nAdler;47.1;9.5\n");

  const imported = await run("catalog", "import", path, "--mapping", "name=Wer,latitude=Oben,longitude=Rechts");
  const wrong = await run("catalog", "import", path, "--mapping", "nom=Wer");

  assert.match(imported.out, /1 places/);
  assert.equal(wrong.code, 1);
  assert.match(wrong.error, /--mapping has "nom=Wer".* The fields are id, name, .*, rating, /);
});

test("the help of an import and the guide name every field of a mapping", async () => {
  const guide = await readFile(new URL("../../docs/guides/catalog.md", import.meta.url), "utf8");

  assert.deepEqual(mappingFields, tableFields);
  assert.deepEqual(
    tableFields.filter((field) => !guide.includes(`\`${field}\``)),
    [],
  );
});

test("a table's ratings are found again, and columns that nothing used are named", async (t) => {
  const { run, file } = await givenInstallation(t);
  const path = await file("own.csv", "name,lat,lon,rating,reviews,Chef\nAdler,47.1,9.5,4.6,87,Eva\n");

  const imported = await run("catalog", "import", path);
  const again = await run("catalog", "import", path, "--json");

  assert.match(imported.out, /\nNot used: Chef\. --mapping field=column takes a column; --help lists the fields\.\n$/);
  assert.equal(JSON.parse(again.out).unchanged, 1);
});

test("a data set is as old as its extract, its records or its file", async (t) => {
  const { run, file } = await givenInstallation(t);
  const node = { id: 1, latitude: 47.1, longitude: 9.5, tags: { name: "Adler", amenity: "pub" } };
  const extract = await file("extract.osm.pbf", writeSample({ nodes: [node] }, { replicatedAt: 1_767_225_600 }));
  const feature = {
    type: "Feature",
    geometry: { type: "Point", coordinates: [9.5, 47.1] },
    properties: {
      id: "08f",
      names: { primary: "Adler" },
      sources: [
        { property: "", dataset: "meta", update_time: "2026-02-03" },
        { property: "", dataset: "Foursquare", license: "Apache-2.0", update_time: null },
      ],
    },
  };
  const release = await file("release.geojson", JSON.stringify(feature));
  const old = await file("old.csv", table(2));
  await utimes(old, new Date(), new Date("2024-05-06T00:00:00Z"));

  for (const path of [extract, release, old]) assert.equal((await run("catalog", "import", path)).code, 0);
  const list = await run("catalog", "list", "--json");
  const stats = await run("catalog", "stats");

  assert.deepEqual(
    JSON.parse(list.out).data_sets.map(({ name, observed_at: at }: any) => [name, at]),
    [
      ["extract", "2026-01-01T00:00:00.000Z"],
      ["old", "2024-05-06T00:00:00.000Z"],
      ["release", "2026-02-03T00:00:00.000Z"],
    ],
  );
  assert.match(stats.out, /AS OF[^]*old +2024-05-06/);
  assert.match(stats.out, /LICENSE +PLACES\n(?:.*\n)*ODbL-1\.0 +1\n/);
  const counted = JSON.parse((await run("catalog", "stats", "--json")).out).licenses;
  assert.deepEqual(counted, [
    { license: "", places: 2 },
    { license: "Apache-2.0", places: 1 },
    { license: "CDLA-Permissive-2.0", places: 1 },
    { license: "ODbL-1.0", places: 1 },
  ]);
});

test("places that their publisher is less sure of are left out", async (t) => {
  const { run, file } = await givenInstallation(t);
  const features = [0.1, 0.5, 0.95].map((confidence) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [9.5, 47.1] },
    properties: { id: `08f${confidence}`, names: { primary: "Adler" }, confidence },
  }));
  const path = await file("places.geojson", JSON.stringify({ type: "FeatureCollection", features }));

  const sure = await run("catalog", "import", path, "--min-confidence", ".5", "--json");
  const all = await run("catalog", "import", path, "--json");
  const wrong = await run("catalog", "import", path, "--min-confidence", "50");

  assert.deepEqual([JSON.parse(sure.out).places, JSON.parse(sure.out).skipped], [2, 0]);
  assert.deepEqual([JSON.parse(all.out).places, JSON.parse(all.out).added], [3, 1]);
  assert.match(wrong.error, /--min-confidence is a number from 0 to 1/);
});

test("a mapping for a file that has no columns is refused, and nothing is imported", async (t) => {
  const { run, file, list } = await givenInstallation(t);
  const properties = { Firma: "Adler", name: "Ochsen", amenity: "cafe" };
  const geometry = { type: "Point", coordinates: [9.5, 47.1] };
  const path = await file("odd.geojson", JSON.stringify({ type: "Feature", properties, geometry }));

  const { code, error } = await run("catalog", "import", path, "--mapping", "name=Firma");

  assert.equal(code, 1);
  assert.match(
    error,
    /--mapping names the columns of tables \(CSV, Parquet\), and .*odd\.geojson has none; leave it out/,
  );
  assert.deepEqual(await list(), []);
});

test("rows that cannot be used are shown, and too many of them change nothing", async (t) => {
  const { run, file, list } = await givenInstallation(t);
  const rows = Array.from({ length: 18 }, (_, index) => `Cafe ${index},47.1,9.${index}`);
  const few = await file("few.csv", ["name,lat,lon", ...rows, ",47.1,9.5"].join("\n"));
  const many = await file("many.csv", ["name,lat,lon", "Adler,47.1,9.5", ",47.1,9.5", "Lowe,north,9.5"].join("\n"));

  const imported = await run("catalog", "import", few);
  const refused = await run("catalog", "import", many);
  const allowed = await run("catalog", "import", many, "--allow-skipped", "70");

  assert.match(imported.out, /1 that cannot be used skipped\.\n  line 20: no name/);
  assert.equal(refused.code, 1);
  assert.match(
    refused.error,
    /2 of 3 rows cannot be used \(line 3: no name; line 4: no coordinates that can be read\)/,
  );
  assert.equal(allowed.code, 0);
  assert.deepEqual((await list()).map(({ name }) => name).toSorted(), ["few", "many"]);
});

test("another file of the same name does not close a data set's places by accident", async (t) => {
  const { run, file } = await givenInstallation(t);
  const first = await file("cafes.csv", table(3));
  const elsewhere = join(first, "../other");
  await mkdir(elsewhere, { recursive: true });
  await writeFile(join(elsewhere, "cafes.csv"), table(1));
  await run("catalog", "import", first);

  const refused = await run("catalog", "import", join(elsewhere, "cafes.csv"));
  const meant = await run("catalog", "import", join(elsewhere, "cafes.csv"), "--name", "cafes");

  assert.equal(refused.code, 1);
  assert.match(refused.error, /was imported from .*another file under its name would close its places/);
  assert.match(meant.out, /2 closed/);
});

test("what cannot be imported ends with one sentence, exit code 1 and nothing changed", async (t) => {
  const { run, file, list } = await givenInstallation(t);
  const server = createServer((_, response) => response.writeHead(404).end("nothing here")).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const broken = [
    await file("empty.osm.pbf", ""),
    await file("page.osm.pbf", "<!doctype html><html></html>"),
    await file("archive.csv", "PK\u0003\u0004rest"),
    await file("no-coordinates.csv", "name,phone\nAdler,1\n"),
    "/there/is/no/such/file.csv",
    `http://127.0.0.1:${port}/gone.osm.pbf`,
    "http://name.invalid/x.osm.pbf",
    "http://",
    "http://[::1",
  ];

  for (const from of broken) {
    const { code, error } = await run("catalog", "import", from);
    assert.equal(code, 1, from);
    assert.equal(error.trimEnd().split("\n").length, 1, `${from}: ${error}`);
    assert.match(error, /Nothing was changed\.\n$/, from);
  }
  for (const name of ["", "two\nlines", "x".repeat(300)]) {
    const { code, error } = await run("catalog", "import", await file("cafes.csv", table(1)), "--name", name);
    assert.equal(code, 1, name);
    assert.match(
      error,
      /^A data set's name has 1 to 255 characters, .* Nothing was changed; --name gives another\.\n$/,
    );
  }
  assert.equal((await run("catalog", "add", "atlantis")).code, 4);
  assert.deepEqual(await list(), []);
});

test("a URL is downloaded in parts, and a region is found at the extract server", async (t) => {
  const { run, list } = await givenInstallation(t);
  const asked: string[] = [];
  const body = Buffer.from(table(4));
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.range}`);
    const [, from = 0] = /bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    response.writeHead(206, { "Content-Range": `bytes ${from}-${body.length - 1}/${body.length}`, ETag: '"1"' });
    // A server may give less than was asked for.
    response.end(body.subarray(Number(from), Number(from) + 40));
  }).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const added = await run("catalog", "add", "Liechtenstein", "--base", base);

  assert.equal(added.code, 0, added.error);
  assert.match(asked[0] ?? "", /^\/europe\/liechtenstein-latest\.osm\.pbf bytes=0-/);
  assert.ok(asked.length > 2);
  assert.deepEqual(await list(), [{ name: "liechtenstein", places: 4 }]);
});

for (const [how, signal, code] of [
  ["Ctrl-C", "SIGINT", 130],
  ["kill -9", "SIGKILL", null],
] as const) {
  test(`an import that ${how} ends leaves the catalog as it was, and can be run again`, async (t) => {
    const { run, start, file, list, connection } = await givenInstallation(t);
    await run("catalog", "import", await file("cafes.csv", table(2)));
    const path = await file("cafes.csv", table(5));
    const holder = await openBulkConnection(connection, new AbortController().signal);
    // Whoever holds this keeps the import waiting before it changes the index.
    await holder.query(sql`select pg_advisory_lock(${advisoryLocks.catalogIndex})`);

    const child = start("catalog", "import", path);
    await said(child, /^Storing/m);
    child.kill(signal);
    const [ended] = await once(child, "exit");
    await holder.end();

    assert.equal(ended, code);
    assert.deepEqual(await list(), [{ name: "cafes", places: 2 }]);
    const again = await run("catalog", "import", path);
    assert.equal(again.code, 0);
    assert.match(again.error, /^Continuing an interrupted import: 5 places are staged, all of the file is read\.$/m);
    assert.deepEqual(await list(), [{ name: "cafes", places: 5 }]);
  });
}
