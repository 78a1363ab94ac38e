import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLog } from "../server/src/platform/log.ts";
import { startEmbedded } from "../server/src/platform/postgres/embedded/index.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { callUntilAnswered, startFleet } from "./fleet.ts";
import { allEnded, keepCreating, newLedger, settle } from "./jobs-ledger.ts";
import { postmasterOf, until } from "./service.ts";
import { makePreparedFolder } from "../server/test/prepared-cluster.ts";
import { removeFolder } from "../server/test/temp-folder.ts";

/** Every other one ends an API process, and every other a worker. */
const crashesMax = 8;
/** So many more are acknowledged before the next crash, which may come while a process is starting again. */
const jobsBetween = 10;
/** Some dozen jobs a second meet every crash; more would only take the cores from the files beside this one. */
const pauseMs = 100;

test("jobs outlive workers and API processes that are killed at random", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "api", "worker", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const ledger = newLedger();
  let isOver = false;
  t.after(() => (isOver = true));

  const clients = Array.from({ length: 6 }, () => keepCreating(fleet, ledger, () => isOver, pauseMs));
  const crashes: Promise<void>[] = [];
  while (crashes.length < crashesMax) {
    const before = ledger.created.size;
    await until(() => ledger.created.size >= before + jobsBetween);
    crashes.push(fleet.any(crashes.length % 2 === 0 ? "worker" : "api").crash());
  }
  await Promise.all(crashes);
  isOver = true;
  await Promise.all(clients);
  await allEnded(fleet.db, 60);

  t.diagnostic(`${ledger.created.size} jobs, ${ledger.canceled.size} canceled`);
  await settle(fleet.db, ledger);
});

test("no acknowledged job is missing after PostgreSQL was stopped at once and came back", async (t) => {
  const folder = await makePreparedFolder();
  const postgres = await startEmbedded({ dataFolder: folder, log: silentLog });
  const fleet = await startFleet(postgres.connection, ["api", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await postgres.stop();
    await removeFolder(folder);
  });
  const ledger = newLedger();
  let isOver = false;
  t.after(() => (isOver = true));

  const clients = Array.from({ length: 4 }, () => keepCreating(fleet, ledger, () => isOver, pauseMs));
  for (let stops = 1; stops <= 3; stops += 1) {
    const before = ledger.created.size;
    await until(() => ledger.created.size >= before + 20);
    const pid = await postmasterOf(folder);
    process.kill(pid, "SIGQUIT"); // what `pg_ctl stop -m immediate` sends
    await until(async () => (await postmasterOf(folder).catch(() => pid)) !== pid);
  }
  const before = ledger.created.size;
  await until(() => ledger.created.size >= before + 20);
  isOver = true;
  await Promise.all(clients);
  await allEnded(fleet.db, 60);

  t.diagnostic(`${ledger.created.size} jobs`);
  await settle(fleet.db, ledger);
});

test("a worker that is asked to stop hands its job to another", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "worker", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const ledger = newLedger();
  const body = { operation: "places.search", input: { q: "coffee 3000" } };
  const jobs = await Promise.all(Array.from({ length: 20 }, () => callUntilAnswered(fleet, "/scrapes", { body })));
  for (const { data } of jobs) ledger.created.add(data.id);

  const code = await fleet.any("worker").retire();
  await allEnded(fleet.db, 30);

  assert.equal(code, 0);
  await settle(fleet.db, ledger);
});
