import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { isWaypostError, Waypost } from "@waypost/sdk";
import { startService, until, waypost as command } from "./service.ts";
import { liveKeyIn, setUp } from "./webhook-stage.ts";

const place = (name: string, longitude: number) => ({
  type: "Feature",
  properties: { name, amenity: "cafe", "addr:city": "Vaduz" },
  geometry: { type: "Point", coordinates: [longitude, 47.141] },
});
const places = { type: "FeatureCollection", features: [place("Probe Espresso", 9.521), place("Probe Mokka", 9.522)] };
export const q = "cafe in Vaduz";

/** A service with a catalog of two cafés, a receiver it may reach, and both keys. */
export async function startCatalogStage(t: TestContext) {
  const { receiver, environment } = await setUp(t);
  const service = await startService(t, { ...environment, WAYPOST_RATE_LIMIT: "100000" });
  const file = join(environment.WAYPOST_DATA_DIR, "places.geojson");
  await writeFile(file, JSON.stringify(places));
  const imported = await command(["catalog", "import", file], environment);
  assert.equal(imported.code, 0, imported.stderr);
  const liveKey = liveKeyIn(service.output);
  const testKey = /svc_test_\w+/.exec(service.output)?.[0] ?? "";
  const live = new Waypost({ apiKey: liveKey, baseUrl: service.address });
  // The service looks every other second whether the catalog has places.
  await until(() =>
    live.search({ q, ll: "@47.141,9.521,14z" }).then(
      () => true,
      (error: unknown) => !isWaypostError(error, "capability_unavailable"),
    ),
  );
  return { environment, receiver, address: service.address, liveKey, testKey, live };
}
