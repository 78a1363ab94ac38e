import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/database-door.ts";
import { databaseUrl } from "../../test/postgres.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { silentLog } from "../platform/log.ts";
import { sql } from "../platform/postgres/sql.ts";
import { givenCatalog, place } from "../sources/catalog/testing.ts";
import { readConfig } from "./config/config.ts";
import { startService } from "./start.ts";

test("a start lists the places that an older version has stored, and the next one has nothing to do", async (t) => {
  const { connection, db, load } = await givenCatalog(t);
  await load([place({ sourceId: "osm:n1", name: "Cafe" }), place({ sourceId: "osm:n2", name: "Bar" })]);
  await db.query(sql`truncate catalog_places, catalog_generations`);
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const config = readConfig({ DATABASE_URL: databaseUrl(connection), WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" });
  const read = async () =>
    (await db.query<{ place: number; id: string }>(sql`select place, business_id as id from catalog_places`)).rows;

  const first = await startService(config, silentLog);
  await until(async () => (await read()).length === 2);
  const listed = await read();
  await first.stop();
  const second = await startService(config, silentLog);
  await second.stop();

  assert.deepEqual(await read(), listed);
});
