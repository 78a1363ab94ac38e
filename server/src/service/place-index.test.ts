import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/database-door.ts";
import { defer } from "../../test/defer.ts";
import { databaseUrl } from "../../test/postgres.ts";
import { runDoctor } from "../operator/doctor.ts";
import { readStatus } from "../operator/status.ts";
import { silentLog } from "../platform/log.ts";
import { sql } from "../platform/postgres/sql.ts";
import { givenFolderPath, givenPlaces, placesNamed } from "../place-index/file/testing.ts";
import { readConfig } from "./config/config.ts";
import { startService } from "./start.ts";

test("a machine without a place index is not ready until it is built, and shows it everywhere", async (t) => {
  const { connection, db, change } = await givenPlaces(t);
  const generation = await change({ put: placesNamed(100) });
  const environment = {
    DATABASE_URL: databaseUrl(connection),
    WAYPOST_DATA_DIR: await givenFolderPath(t),
    WAYPOST_PORT: "0",
    WAYPOST_SOURCE: "catalog",
  };
  const config = readConfig(environment);
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const areasAreLocked = db.transaction(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await tx.query(sql`lock table catalog_areas in access exclusive mode`);
    locked.resolve();
    await unlock.promise;
  });
  defer(t, () => (unlock.resolve(), areasAreLocked));
  await locked.promise;

  const sources = { pick: () => Promise.resolve(undefined), ready: async () => [] };
  const service = await startService(config, silentLog, { sources });
  defer(t, () => service.stop());
  const get = (path: string) => fetch(`${service.address}${path}`);
  const readiness = async () => ((await (await get("/readyz")).json()) as { problems: string[] }).problems.join();

  await until(async () => (await readiness()) === "the place index is not ready: indexing, 100 %");
  assert.equal((await get("/readyz")).status, 503);
  assert.equal((await get("/healthz")).status, 200);
  unlock.resolve();
  await until(async () => (await get("/readyz")).status === 200);

  const { place_index: index } = await readStatus(config);
  assert.deepEqual(
    [index?.generation, index?.lag_seconds, index?.waits_for, index?.problem],
    [generation, 0, null, null],
  );
  const findings = await runDoctor(() => readConfig(environment));
  assert.match(findings.find(({ check }) => check === "place index")?.says ?? "", /^generation 2, \d+ MiB$/);
  const metrics = await (await get("/metrics")).text();
  assert.match(metrics, new RegExp(`^waypost_place_index_generation ${generation}$`, "m"));
  assert.match(metrics, /^waypost_place_index_lag_seconds 0$/m);

  const next = await change({ put: { 1: "One" } });
  await db.query(sql`select pg_notify('waypost_catalog', '')`);
  await until(async () => (await readStatus(config)).place_index?.generation === next);
  assert.equal((await get("/readyz")).status, 200);
});
