import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test, type TestContext } from "node:test";
import { doorTo, until } from "../../test/database-door.ts";
import { fileDatabase, startApi } from "../../test/harness.ts";
import { createTestDatabase, databaseUrl } from "../../test/postgres.ts";
import { scriptedSource } from "../../test/scripted-source.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { createDatabase } from "../platform/postgres/database.ts";
import { sql } from "../platform/postgres/sql.ts";
import { readConfig } from "./config/config.ts";
import { silentLog } from "../platform/log.ts";
import { newUuid } from "../platform/ids.ts";
import { startService } from "./start.ts";

const deploy = new URL("../../../deploy/", import.meta.url);

const figure = (text: string, series: string) =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1),
  );

/** The text that a process of a role gives, after it has worked. */
async function metricsOfRole(t: TestContext, role: string): Promise<string> {
  const database = await createTestDatabase();
  const folder = await makeTempFolder();
  const config = readConfig({
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_PORT: "0",
    WAYPOST_ROLE: role,
    WAYPOST_SOURCE: "catalog",
  });
  // Without an organization a worker waits for the start that makes one, or for a restore.
  const db = createDatabase({ connection: database.connection, connectionsMax: 1, log: silentLog });
  await db.query(sql`insert into organizations (id, name, entitlement) values (${newUuid()}, 'Acme', 'active')`);
  await db.end();
  const service = await startService(config, silentLog);
  t.after(async () => {
    await service.stop();
    await database.drop();
    await removeFolder(folder);
  });
  const read = async () => (await fetch(`${service.address}/metrics`)).text();
  // Workers compare the ledger when they start.
  await until(async () => figure(await read(), "waypost_ledger_difference_units") === 0);
  return read();
}

test("each data set says how old it is, unless nobody knows", async (t) => {
  const api = await startApi(t);
  await api.db.query(sql`
    insert into catalog_data_sets (name, origin, imported_at, observed_at)
    values ('release', 'file', now(), now() - interval '30 days'), ('older', 'file', now(), null)
  `);

  const { text } = await api.call("/metrics");

  const age = figure(text, 'waypost_catalog_age_seconds{data_set="release"}');
  assert.ok(age >= 30 * 86_400 && age < 31 * 86_400);
  assert.doesNotMatch(text, /data_set="older"/);
});

test("queues, jobs, pool, disk and requests are in the metrics, and follow what happens", async (t) => {
  const { source } = scriptedSource();
  const api = await startApi(t, { source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const body = { operation: "places.search", input: { q: "coffee in Vaduz" } };
  const created = await api.call("/api/v1/scrapes", { key, json: body, headers: { "Idempotency-Key": newUuid() } });
  assert.equal(created.status, 202);

  const { text } = await api.call("/metrics");

  assert.equal(figure(text, 'waypost_queue_waiting{queue="scrapes_live"}'), 1);
  assert.ok(figure(text, 'waypost_queue_oldest_seconds{queue="scrapes_live"}') >= 0);
  assert.equal(figure(text, 'waypost_queue_waiting{queue="deliveries"}'), 0);
  assert.equal(figure(text, "waypost_database_connections_max"), 10);
  assert.ok(figure(text, "waypost_database_acquired_total") > 0);
  assert.ok(figure(text, 'waypost_disk_free_bytes{of="data folder"}') > 0);
  assert.match(text, /^waypost_nodejs_eventloop_lag_p99_seconds \d/m);
  assert.match(
    text,
    /^waypost_http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/scrapes",status="202"\} 1$/m,
  );

  api.givenWorker();
  const series = 'waypost_jobs_finished_total{kind="scrape",environment="live",outcome="succeeded",error_code=""}';
  await until(async () => figure((await api.call("/metrics")).text, series) === 1);
});

test("while the database hangs the metrics say so, and show no queue as it was", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through });
  door.jam();
  await api.call("/readyz");

  const { status, text } = await api.call("/metrics");

  assert.equal(status, 200);
  assert.doesNotMatch(text, /^waypost_queue_waiting\{/m);
  door.shut();
});

test("a worker has the figures of its loops, and every name in dashboard and alerts is one that is exposed", async (t) => {
  const text = await metricsOfRole(t, "all");
  const worker = await metricsOfRole(t, "worker");

  assert.match(worker, /^waypost_build_info\{version="[\d.]+",role="worker"\} 1$/m);
  assert.match(worker, /^waypost_queue_waiting\{queue="exports"\} 0$/m);
  const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name));
  for (const file of ["grafana/waypost.json", "prometheus/alerts.yml"]) {
    const used = new Set((await readFile(new URL(file, deploy), "utf8")).match(/waypost_[a-z0-9_]+/g));
    assert.ok(used.size > 8, `${file} uses ${used.size} metrics`);
    const unknown = [...used].filter(
      (name) => !exposed.has(name) && !exposed.has(name.replace(/_(bucket|sum|count)$/, "")),
    );
    assert.deepEqual(unknown, [], file);
  }
});

test("whatever an alert watches is seen in a panel too", async () => {
  const namesIn = async (file: string) =>
    new Set((await readFile(new URL(file, deploy), "utf8")).match(/waypost_[a-z0-9_]+/g));
  const [watched, shown] = await Promise.all(["prometheus/alerts.yml", "grafana/waypost.json"].map(namesIn));

  assert.deepEqual(
    [...(watched ?? [])].filter((name) => !shown?.has(name)),
    [],
  );
});

test("promtool finds nothing to complain about", async (t) => {
  if (spawnSync("promtool", ["--version"]).error)
    return t.skip("promtool is not on this machine; Debian's prometheus has it");
  const api = await startApi(t);
  const { text } = await api.call("/metrics");

  const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  const rules = spawnSync("promtool", ["check", "rules", new URL("prometheus/alerts.yml", deploy).pathname], {
    encoding: "utf8",
  });

  assert.equal(checked.stdout + checked.stderr, "");
  assert.equal(checked.status, 0);
  assert.equal(rules.status, 0, rules.stderr);
});
