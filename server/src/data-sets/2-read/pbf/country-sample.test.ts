import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeSample, samplePath } from "../../../../../scripts/sample.ts";
import { countryAt } from "../../../geography/country.ts";
import { readFile as readPlaces, temporaryFile } from "../read.ts";
import { readOsmPbf } from "./osm-pbf.ts";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const extract = join(root, "../shared/data/osm/liechtenstein-2024.osm.pbf");

test("the country that comes along is small, has its places, towns and boundary, and nothing of its neighbors", async () => {
  const { places, areas } = await readPlaces(readOsmPbf, samplePath);

  assert.ok((await stat(samplePath)).size < 1_000_000);
  assert.ok(places.length > 900, `${places.length} places`);
  const cafes = places.filter(({ categories }) => categories.includes("amenity/cafe"));
  assert.ok(cafes.length >= 10, `${cafes.length} cafés`);
  const towns = new Set(areas.map(({ name }) => name));
  for (const name of ["Vaduz", "Schaan", "Triesen", "Balzers", "Eschen", "Liechtenstein"])
    assert.ok(towns.has(name), name);
  const outside = places.filter(({ latitude, longitude }) => countryAt(latitude, longitude) !== "LI");
  // The borders of the one are finer than those of the other.
  assert.ok(outside.length < 20, outside.map(({ name }) => name).join(", "));
});

test("its licence, date and origin lie beside it, and the notice names it", async () => {
  const beside = (name: string) => readFile(join(samplePath, "..", name), "utf8");

  assert.match(await beside("ODbL-1.0.txt"), /Open Data Commons Open Database License/);
  assert.match(await beside("README.md"), /March 2024[^]*© OpenStreetMap contributors[^]*Open Database License 1\.0/);
  assert.match(await readFile(join(root, "NOTICE"), "utf8"), /liechtenstein\.osm\.pbf[^]*Open Database License 1\.0/);
});

test("the script makes what is committed", { skip: !existsSync(extract) && "the extract is not here" }, async (t) => {
  const made = await temporaryFile(t, await makeSample(extract));

  assert.deepEqual(await readPlaces(readOsmPbf, made), await readPlaces(readOsmPbf, samplePath));
});
