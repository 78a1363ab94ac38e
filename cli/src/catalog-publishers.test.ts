import assert from "node:assert/strict";
import { test } from "node:test";
import { startHttp } from "../../server/test/local-servers.ts";
import { zipOf } from "../../server/test/zip.ts";
import { givenInstallation } from "./installation.ts";

test("the newest run of AllThePlaces is imported, whole or of an area", async (t) => {
  const { run, env, list } = await givenInstallation(t);
  const archive = await zipOf({
    "output/adler.geojson": collection([store("adler", "1", 47.141, 9.521), store("adler", "2", 47.141, 9.522)]),
    "output/bear.geojson": collection([store("bear", "1", 47.142, 9.523), store("bear", "2", -33.87, 151.2)]),
    "output/empty.geojson": collection([]),
    "output/stats.txt": "nothing to import",
  });
  const { port } = await startHttp(t, ({ url }, response) => {
    const index = {
      run_id: "2026-11-14-13-32-03",
      output_url: "https://files.example/runs/2026-11-14-13-32-03/output.zip",
    };
    if (url === "/runs/latest.json") response.end(JSON.stringify(index));
    else if (url === "/runs/2026-11-14-13-32-03/output.zip") response.end(archive);
    else response.writeHead(404).end();
  });
  Object.assign(env, { WAYPOST_ALLTHEPLACES_URL: `http://127.0.0.1:${port}` });

  const whole = await run("catalog", "add", "alltheplaces");
  const near = await run("catalog", "add", "alltheplaces", "--area", "Vaduz", "--json");

  assert.match(whole.out, /Imported alltheplaces: 4 places/);
  assert.equal(JSON.parse(near.out).places, 3, near.error);
  assert.deepEqual(await list(), [
    { name: "alltheplaces", places: 4 },
    { name: "alltheplaces-vaduz", places: 3 },
  ]);
});

test("a zip archive that is damaged, a bomb, or holds no features changes nothing", async (t) => {
  const { run, file, list } = await givenInstallation(t);
  const whole = await zipOf({ "a.geojson": collection([store("adler", "1", 47.141, 9.521)]) });
  const archives = [
    [whole.subarray(0, whole.length - 30), /damaged/],
    [Buffer.from(whole).fill(1, 40, 60), /damaged|no JSON/],
    [await zipOf({ "bomb.geojson": " ".repeat(2_000_000) }), /unfolds to far more than data does/],
    [await zipOf({ "readme.txt": "hello" }), /holds no GeoJSON; unpack it/],
  ] as const;

  for (const [index, [content, problem]] of archives.entries()) {
    const path = await file(`${index}.zip`, content.toString("latin1"));
    const { code, error } = await run("catalog", "import", path);
    assert.equal(code, 1, `${index}: ${error}`);
    assert.match(error, problem);
    assert.match(error, /Nothing was changed\.\n$/);
  }
  assert.deepEqual(await list(), []);
});

test("a publisher takes its own words and options, and a region alone is OpenStreetMap's", async (t) => {
  const { run, file } = await givenInstallation(t);
  const cases = [
    [["overture"], /--area is required/],
    [["overture", "Vaduz", "--area", "Vaduz"], /Write catalog add overture\./],
    [["foursquare"], /Write catalog add foursquare PATH\./],
    [["foursquare", "x.parquet", "--area", "LI"], /--area is not for foursquare; leave it out\./],
    [["liechtenstein", "--dry-run"], /--dry-run is not for openstreetmap; leave it out\./],
    [[], /Write catalog add REGION\./],
  ] as const;

  for (const [words, problem] of cases) {
    const { code, error } = await run("catalog", "add", ...words);
    assert.equal(code, 2, words.join(" "));
    assert.match(error, problem);
  }
  assert.match((await run("catalog", "add", "openstreetmap", "atlantis")).error, /no region atlantis in the list/);
  assert.match((await run("catalog", "add", "atlantis")).error, /no region atlantis in the list/);
  const places = await file("fsq.csv", "fsq_place_id,name,latitude,longitude\nx1,Adler,47.141,9.521\n");
  assert.match((await run("catalog", "add", "foursquare", places, "--name", "fsq")).out, /Imported fsq: 1 places/);
});

function store(spider: string, ref: string, latitude: number, longitude: number): object {
  const properties = { "@spider": spider, ref, brand: spider, name: `${spider} ${ref}`, shop: "bakery" };
  const geometry = { type: "Point", coordinates: [longitude, latitude] };
  return { type: "Feature", id: `${spider}-${ref}`, properties, geometry };
}

function collection(features: readonly object[]): string {
  return JSON.stringify({ type: "FeatureCollection", features });
}
