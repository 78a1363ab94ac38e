import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../server/src/platform/ids.ts";
import { createTestDatabase } from "../server/test/postgres.ts";
import { callUntilAnswered, startFleet } from "./fleet.ts";
import { allEnded, newLedger, settle } from "./jobs-ledger.ts";

const keys = 20;
const twins = 50;
const inFlightMax = 100;

test("20 keys with 50 twins each make 20 jobs and cost 20 units, though processes are killed meanwhile", async (t) => {
  const database = await createTestDatabase();
  const fleet = await startFleet(database.connection, ["api", "api", "worker", "worker"]);
  t.after(async () => {
    await fleet.stop();
    await database.drop();
  });
  const calls = Array.from({ length: keys }, () => newUuid()).flatMap((key) => Array<string>(twins).fill(key));
  const jobByKey = new Map<string, string>();
  let answered = 0;
  const crashes: Promise<void>[] = [];

  // Keys follow each other closely, so that twins of several keys are on their way at once.
  const client = async () => {
    for (let key = calls.shift(); key !== undefined; key = calls.shift()) {
      const body = { operation: "places.search", input: { q: `coffee ${key} 50` } };
      const { status, data } = await callUntilAnswered(fleet, "/scrapes", { body, idempotencyKey: key });
      assert.equal(status, 202);
      assert.equal(jobByKey.get(key) ?? data.id, data.id, "all twins get one job");
      jobByKey.set(key, data.id);
      answered += 1;
      if (answered === 250) crashes.push(fleet.any("api").crash());
      if (answered === 500) crashes.push(fleet.any("worker").crash());
    }
  };
  await Promise.all(Array.from({ length: inFlightMax }, client));
  await Promise.all(crashes);
  await allEnded(fleet.db, 60);

  assert.equal(answered, keys * twins);
  assert.equal(crashes.length, 2);
  assert.equal(jobByKey.size, keys);
  const ledger = newLedger();
  for (const id of jobByKey.values()) ledger.created.add(id);
  await settle(fleet.db, ledger);
});
