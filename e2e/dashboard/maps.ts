import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Config } from "../../server/src/service/config/config.ts";
import { systemClock } from "../../server/src/platform/clock.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createDatabase } from "../../server/src/platform/postgres/database.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { importItems } from "../../server/src/data-sets/import.ts";
import { listRunningImports } from "../../server/src/data-sets/running-imports.ts";
import { place, town } from "../../server/src/sources/catalog/testing.ts";
import { givenPerson } from "../../server/test/console.ts";
import { until } from "../../server/test/database-door.ts";
import { fileDatabase, startApi } from "../../server/test/harness.ts";
import { givenPlaceIndex } from "../../server/test/place-index.ts";
import { visit } from "../browser.ts";
import { open, skip, stage } from "./stage.ts";

const dashboardFolder = fileURLToPath(new URL("../../dashboard/dist", import.meta.url));
const attribution = "© A test";

/** One pixel of magenta, which is in no theme. */
const magentaPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z/AfAAQAAf8iCjrwAAAAAElFTkSuQmCC",
  "base64",
);
/** A vector tile with one layer, "ground", and in it one polygon that fills the tile. */
const groundTile = Buffer.from("1a2178020a0667726f756e6412121803220e0900001a804000008040ff3f000f288020", "hex");

export function mapTests() {
  for (const kind of ["raster tiles", "a style with vector tiles"] as const) {
    test(
      `maps draw ${kind} of the operator's host with its attribution, and load from no other`,
      { skip },
      async (t) => {
        const [host, stranger] = [await startTileHost(t), await startTileHost(t)];
        const settings =
          kind === "raster tiles"
            ? { mapTiles: `${host.origin}/{z}/{x}/{y}.png` }
            : { mapStyle: `${host.origin}/style.json` };
        const { page, complaints } = await visitApi(t, { ...settings, mapAttribution: attribution });

        await open(page, "/collections/new", "New collection");
        await page.locator(".map[data-ready][data-idle] canvas").waitFor();

        assert.ok(
          host.requests.some((path) => /^\/\d+\/\d+\/\d+\.(png|pbf)$/.test(path)),
          host.requests.join(),
        );
        assert.deepEqual(await centerOf(page), [255, 0, 255]);
        await page.locator(".maplibregl-ctrl-attrib", { hasText: attribution }).getByText(attribution).waitFor();
        assert.deepEqual(complaints, []);
        const reach = (origin: string) => page.evaluate(`fetch("${origin}/0/0/0.png").then(() => true, () => false)`);
        assert.deepEqual([await reach(host.origin), await reach(stranger.origin)], [true, false]);
        assert.deepEqual(stranger.requests, []);
      },
    );
  }

  test("a map whose host does not answer shows the built-in base map", { skip }, async (t) => {
    const { page } = await visitApi(t, { mapStyle: "http://127.0.0.1:9/style.json" });

    await open(page, "/collections/new", "New collection");

    await page.locator(".map[data-ready][data-idle] canvas").waitFor();
    await page.locator(".maplibregl-ctrl-attrib", { hasText: "Natural Earth" }).waitFor();
  });

  test("an import is watched while it reads and stores, and then what it brought is there", { skip }, async (t) => {
    const { page, db } = await visitApi(t);
    const isSeen = Promise.withResolvers<void>();
    async function* items() {
      yield place({ sourceId: "x:0", name: "Café Eins" });
      yield place({ sourceId: "x:1", name: "Café Zwei", latitude: -33.9, longitude: 151.2 });
      await isSeen.promise;
      yield town("Vaduz", 47.14, 9.52);
    }
    const options = { connection: await fileDatabase(), clock: systemClock, signal: new AbortController().signal };
    await open(page, "/catalog", "Catalog");
    await page.getByText("The catalog is empty").waitFor();
    let imported: Promise<unknown> | undefined;
    // The import waits for the table that its switch writes.
    await db.transaction(async (tx) => {
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
      await tx.query(sql`lock table catalog_places in share mode`);
      imported = importItems({ name: "one", origin: "a test" }, items(), options);
      // A page that sees no import looks again only after half a minute.
      await until(async () => (await listRunningImports(db)).length > 0);
      await page.reload();
      await page.getByText("one is being imported").waitFor();
      await page.getByText("reading the file").waitFor();
      isSeen.resolve();
      await page.getByText("storing and indexing").waitFor();
    });
    await imported;

    await page.getByText("one is being imported").waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "one" }).getByText("2", { exact: true }).waitFor();
    await page.locator(".map[data-ready] canvas").waitFor();
  });
}

/** An owner's page on an API of the test's own. */
async function visitApi(t: TestContext, settings: Partial<Config> = {}) {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  const api = await startApi(t, { settings, dashboardFolder, placeIndex: await givenPlaceIndex(t, db) });
  const owner = await givenPerson(api, "owner", await api.givenOrganization());
  const { page, context, complaints } = await visit(stage.browser, api.address, { width: 640, height: 480 });
  t.after(() => context.close());
  const [name = "", value = ""] = owner.cookie.split("=");
  await context.addCookies([{ name, value, url: api.address }]);
  return { page, complaints, db: api.db };
}

/** A host of tiles and of a style that shows them, which records what it is sent. */
async function startTileHost(t: TestContext) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (path.endsWith(".png")) return void response.setHeader("Content-Type", "image/png").end(magentaPng);
    if (path.endsWith(".pbf")) return void response.end(groundTile);
    const tiles = [`http://${request.headers.host}/{z}/{x}/{y}.pbf`];
    const paint = { "fill-color": "#ff00ff", "fill-antialias": false };
    return void response.setHeader("Content-Type", "application/json").end(
      JSON.stringify({
        version: 8,
        sources: { ground: { type: "vector", tiles, maxzoom: 14 } },
        layers: [{ id: "ground", type: "fill", source: "ground", "source-layer": "ground", paint }],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** The color in the middle of the map, as red, green and blue. */
async function centerOf(page: Page): Promise<number[]> {
  const picture = await page.locator(".map canvas").screenshot();
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${picture.toString("base64")}";
    await image.decode();
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.drawImage(image, -image.width / 2, -image.height / 2);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  })()`);
}
