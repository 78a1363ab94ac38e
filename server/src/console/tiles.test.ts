import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { givenPlaceIndex } from "../../test/place-index.ts";
import { fileDatabase, startApi } from "../../test/harness.ts";
import { systemClock } from "../platform/clock.ts";
import { silentLog } from "../platform/log.ts";
import { createDatabase } from "../platform/postgres/database.ts";
import { importItems } from "../data-sets/import.ts";
import { cellOf, cellRangesOf } from "../geography/cells.ts";
import { listRunningImports } from "../data-sets/running-imports.ts";
import { clipLine } from "../sources/catalog/outlines.ts";
import { announcePhase, type RunningImport } from "../data-sets/running-imports.ts";
import { shapeOf } from "../geography/shape.ts";
import { place, town, yielded } from "../sources/catalog/testing.ts";

test("the catalog is drawn as tiles that follow its imports, and imports can be seen while they run", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  const api = await startApi(t, { placeIndex: await givenPlaceIndex(t, db) });
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());
  const importTown = async (name: string) => {
    const seen: RunningImport[] = [];
    async function* items() {
      yield* yielded([place({ sourceId: `x:${name}`, name }), town("Vaduz", 47.14, 9.52)]);
      seen.push(...(await listRunningImports(api.db)));
    }
    const options = { connection, clock: systemClock, signal: new AbortController().signal };
    await importItems({ name: "one", origin: "a test" }, items(), options);
    return seen;
  };
  // The square of zoom 15 that has the place in it, and the one west of it.
  const path = "/tiles/15/17250/11506";

  const empty = await viewer.call(path);
  const seen = await importTown("Café Eins");
  const drawn = await viewer.call(path);
  await importTown("Café Zwei");
  const changed = await viewer.call(path);

  assert.equal(empty.status, 200);
  assert.doesNotMatch(empty.text, /Vaduz/);
  assert.match(drawn.text, /Café Eins/);
  assert.match(drawn.text, /Vaduz/);
  assert.equal(drawn.headers.get("content-type"), "application/vnd.mapbox-vector-tile");
  assert.match(changed.text, /Café Zwei/);
  assert.deepEqual(
    seen.map(({ phase, percent, rows }) => ({ phase, percent, isCounted: rows !== null })),
    [{ phase: "reading", percent: null, isCounted: true }],
  );
  assert.deepEqual(await listRunningImports(api.db), []);
  assert.match((await viewer.call("/tiles/0/0/0")).text, /Vaduz/);
  assert.equal((await viewer.call("/tiles/15/17249/11506")).text.includes("Vaduz"), false);
  for (const none of ["/tiles/17/0/0", "/tiles/1/2/0", "/tiles/1/0/2"]) {
    assert.equal((await viewer.call(none)).status, 404, none);
  }
  const { body } = await viewer.call("/catalog");
  const [south, west, north, east] = body["data"].bounds as number[];
  assert.ok(isBetween(47.14, south, north) && isBetween(9.52, west, east), "about where it lies");
});

test("an import says how far its storing is, whatever its name", async (t) => {
  const api = await startApi(t);
  const importing = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => importing.end());

  await announcePhase(importing, "storing", "two words:7", 42);

  const [{ phase, name, percent, rows } = assert.fail("no import is seen")] = await listRunningImports(api.db);
  assert.deepEqual({ phase, name, percent, rows }, { phase: "storing", name: "two words:7", percent: 42, rows: null });
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());
  const { body } = await viewer.call("/catalog");
  assert.equal(body["data"].imports[0].percent, 42);
});

test("an area's outline is in the tiles that it passes through, cut at their edges, and in no others", async (t) => {
  const api = await startApi(t);
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());
  const ring = [
    [46.0, 8.0],
    [46.0, 9.0],
    [47.0, 9.0],
    [47.0, 8.0],
    [46.0, 8.0],
  ] as const;
  const region = town("Oberland", 46.5, 8.5, { shape: shapeOf([ring], 100), level: 4 });
  const options = { connection: await fileDatabase(), clock: systemClock, signal: new AbortController().signal };
  const items = yielded([place({ sourceId: "x:1", name: "Alp", latitude: 46.5, longitude: 8.5 }), region]);
  await importItems({ name: "outlined", origin: "a test" }, items, options);
  // At zoom 10 a tile is about a third of a degree wide.
  const tileAt = (latitude: number, longitude: number) => {
    const sin = Math.sin((latitude * Math.PI) / 180);
    const y = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 1024;
    return `/tiles/10/${Math.floor(((longitude + 180) / 360) * 1024)}/${Math.floor(y)}`;
  };

  assert.match((await viewer.call(tileAt(47.0, 8.4))).text, /outlines.*Oberland/s);
  assert.match((await viewer.call("/tiles/6/33/22")).text, /outlines.*Oberland/s);
  assert.doesNotMatch((await viewer.call(tileAt(46.6, 8.1))).text, /Oberland/);
  assert.doesNotMatch((await viewer.call(tileAt(48.5, 8.4))).text, /Oberland/);
});

test("a line is cut into its parts inside a frame", () => {
  const frame = [0, 0, 100, 100] as const;
  const line = (...points: [number, number][]) => clipLine(points, frame);

  assert.deepEqual(line([10, 10], [20, 20], [30, 10]), [
    [
      [10, 10],
      [20, 20],
      [30, 10],
    ],
  ]);
  assert.deepEqual(line([-50, 50], [150, 50]), [
    [
      [0, 50],
      [100, 50],
    ],
  ]);
  // Out on the right, back in farther down.
  assert.deepEqual(line([90, 10], [110, 10], [110, 30], [90, 30]), [
    [
      [90, 10],
      [100, 10],
    ],
    [
      [100, 30],
      [90, 30],
    ],
  ]);
  assert.deepEqual(line([-10, -10], [-10, 200], [200, 200]), []);
});

test("maps take the operator's tiles, and the pages may load them from that host alone", async (t) => {
  const tiles = { mapTiles: "https://tiles.example:8443/{z}/{x}/{y}.png", mapAttribution: "© Somebody" };
  const api = await startApi(t, { settings: tiles });
  const plain = await startApi(t);
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());
  const policyOf = async (of: typeof api) => (await of.call("/console/")).headers.get("content-security-policy") ?? "";

  const { body } = await viewer.call("/map");

  assert.deepEqual(body["data"], { map: { tiles: tiles.mapTiles, style: null, attribution: tiles.mapAttribution } });
  assert.match(
    await policyOf(api),
    /img-src 'self' data: blob: https:\/\/tiles\.example:8443; connect-src 'self' https:\/\/tiles\.example:8443;/,
  );
  assert.equal(
    await policyOf(plain),
    [
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'",
      "worker-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  );
  assert.equal((await policyOf(api)).replaceAll(" https://tiles.example:8443", ""), await policyOf(plain));
});

test("the ranges of a box hold every point of it, and are few", () => {
  for (const box of [
    [47.04, 9.47, 47.27, 9.64],
    [-90, -180, 90, 180],
    [-1, 179.9, 1, 180],
    [51.2, -0.6, 51.8, 0.4],
  ] as const) {
    const ranges = cellRangesOf(box);
    assert.ok(ranges.length <= 120, `${ranges.length} ranges`);
    const [south, west, north, east] = box;
    for (let step = 0; step <= 400; step += 1) {
      const latitude = south + (north - south) * ((step * 0.618) % 1);
      const longitude = west + (east - west) * ((step * 0.382) % 1);
      const cell = cellOf({ latitude, longitude });
      assert.ok(
        ranges.some(([first, last]) => cell >= first && cell <= last),
        `${latitude} ${longitude}`,
      );
    }
  }
});

function isBetween(value: number, low = Infinity, high = -Infinity): boolean {
  return value >= low && value <= high && high - low < 0.3;
}
