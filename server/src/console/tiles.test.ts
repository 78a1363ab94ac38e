import assert from "node:assert/strict";
import { test } from "node:test";
import { givenPerson } from "../../test/console.ts";
import { fileDatabase, startApi } from "../../test/harness.ts";
import { systemClock } from "../platform/clock.ts";
import { importItems } from "../sources/catalog/import/index.ts";
import { cellOf, cellRangesOf } from "../sources/catalog/cells.ts";
import { listRunningImports } from "../sources/catalog/index.ts";
import { place, town, yielded } from "../sources/catalog/testing.ts";

test("the catalog is drawn as tiles that follow its imports, and imports can be seen while they run", async (t) => {
  const connection = await fileDatabase();
  const api = await startApi(t);
  const viewer = await givenPerson(api, "viewer", await api.givenOrganization());
  const importTown = async (name: string) => {
    const seen: unknown[] = [];
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
    seen.map((each) => (each as { phase: string; name: string }).phase),
    ["reading"],
  );
  assert.deepEqual(await listRunningImports(api.db), []);
  assert.match((await viewer.call("/tiles/0/0/0")).text, /Vaduz/);
  assert.equal((await viewer.call("/tiles/15/17249/11506")).text.includes("Vaduz"), false);
  for (const none of ["/tiles/17/0/0", "/tiles/1/2/0", "/tiles/1/0/2"]) {
    assert.equal((await viewer.call(none)).status, 404, none);
  }
  const { body } = await viewer.call("/catalog");
  assert.deepEqual(
    body["data"].bounds.map((each: number) => Math.round(each * 100) / 100),
    [47.14, 9.52, 47.14, 9.52],
  );
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
