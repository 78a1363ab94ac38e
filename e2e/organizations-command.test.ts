import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createBilling } from "../server/src/domains/billing/index.ts";
import { systemClock } from "../server/src/platform/clock.ts";
import { silentLog } from "../server/src/platform/log.ts";
import { createDatabase } from "../server/src/platform/postgres/database.ts";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import { newDataFolder, search, startService, waypost } from "./service.ts";

async function start(t: TestContext) {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = {
    WAYPOST_DATA_DIR: await newDataFolder(t),
    DATABASE_URL: databaseUrl(database.connection),
    WAYPOST_DEFAULT_ALLOWANCE: "500",
    WAYPOST_SOURCE: "webmap", // none is configured, so that no test asks the world outside
  };
  const ask = async (...words: string[]) => {
    const { code, stdout, stderr } = await waypost([...words, "--json"], environment);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  return { environment, ask, connection: database.connection };
}

test("an organization is made, changed, shown and listed", async (t) => {
  const { ask, environment } = await start(t);

  const created = await ask("org", "create", "--name", "Acme");
  const limited = await ask("org", "create", "--name", "Small", "--allowance", "7", "--entitlement", "inactive");
  assert.deepEqual([created.entitlement, created.allowance, created.allowance_is_default], ["active", 500, true]);
  assert.deepEqual([limited.entitlement, limited.allowance, limited.allowance_is_default], ["inactive", 7, false]);

  const changed = await ask("org", "set", "Acme", "--name", "Acme Ltd", "--allowance", "0");
  assert.deepEqual([changed.id, changed.name, changed.allowance, changed.remaining], [created.id, "Acme Ltd", 0, 0]);
  assert.equal((await ask("org", "set", created.id, "--allowance", "none")).remaining, Number.MAX_SAFE_INTEGER);
  const shown = await waypost(["org", "show", created.id], environment);
  assert.match(shown.stdout, /^Allowance +no ceiling$/m);
  assert.equal((await ask("org", "set", created.id, "--allowance", "default")).allowance, 500);
  assert.equal((await ask("org", "show", "Acme Ltd")).id, created.id);
  const { organizations } = await ask("org", "list");
  assert.deepEqual(
    organizations.map(({ name }: { name: string }) => name),
    ["Acme Ltd", "Small"],
  );
});

test("usage tells months, what remains, and the tail of the ledger", async (t) => {
  const { ask, environment, connection } = await start(t);
  const acme = await ask("org", "create", "--name", "Acme");
  await ask("org", "create", "--name", "Idle");
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  const billing = createBilling({ db, clock: systemClock });
  await billing.charge(db, acme.id, 3, "job/1");
  await billing.reserve(db, acme.id, 1, "search/1");
  await billing.release(db, acme.id, 1, "search/1");
  await db.end();

  const all = await ask("usage");
  const one = await ask("usage", "--org", "Acme", "--ledger", "1");

  const figures = all.months.map((each: Record<string, unknown>) => [
    each["organization"],
    each["used"],
    each["remaining"],
  ]);
  assert.deepEqual(figures, [
    ["Acme", 3, 497],
    ["Idle", 0, 500],
  ]);
  assert.deepEqual(
    all.ledger.map((each: Record<string, unknown>) => [each["kind"], each["units"], each["reference"]]),
    [
      ["release", -1, "search/1"],
      ["reserve", 1, "search/1"],
      ["charge", 3, "job/1"],
    ],
  );
  assert.equal(one.months.length, 1);
  assert.equal(one.ledger.length, 1);
  const { stdout } = await waypost(["usage"], environment);
  assert.match(stdout, /^MONTH +ORGANIZATION +USED +ALLOWANCE +REMAINING\n/);
  assert.match(stdout, /release +-1 +search\/1/);
});

test("an entitlement taken away reaches a running service within a second", async (t) => {
  const { ask, environment } = await start(t);
  const service = await startService(t, environment);
  const key = /svc_live_\w+/.exec(service.output)?.[0] ?? "";
  const codeNow = async () => (await search(service.address, key)).body["error"].code;
  assert.equal(await codeNow(), "capability_unavailable");

  await ask("org", "set", "--entitlement", "inactive");

  const deadline = performance.now() + 1_000;
  let code = await codeNow();
  while (code !== "entitlement_required" && performance.now() < deadline) code = await codeNow();
  assert.equal(code, "entitlement_required");
});

test("what cannot be done is told in a sentence, and changes nothing", async (t) => {
  const { ask, environment } = await start(t);
  await ask("org", "create", "--name", "Acme");

  for (const [words, code, message] of [
    [["org", "set", "nobody", "--name", "x"], 4, /There is no organization nobody/],
    [["org", "set", "Acme", "--name", "Changed", "--entitlement", "maybe"], 2, /must be one of active, inactive/],
    [
      ["org", "set", "Acme", "--name", "Changed", "--allowance", "-1"],
      2,
      /whole number of units, none for no ceiling, or default/,
    ],
    [
      ["org", "set", "Acme", "--name", "Changed", "--allowance", "many"],
      2,
      /whole number of units, none for no ceiling, or default/,
    ],
    [["org", "set", "Acme"], 2, /Say what to change/],
    [["org", "show", "one", "two"], 2, /Unexpected word 'two'/],
    [["org", "create"], 2, /--name is required/],
    [["usage", "--months", "0"], 2, /--months must be a whole number from 1 to 120/],
  ] as const) {
    const answer = await waypost(words, environment);
    assert.equal(answer.code, code, `${words.join(" ")}: ${answer.stderr}`);
    assert.match(answer.stderr, message, words.join(" "));
  }
  assert.equal((await ask("org", "show")).name, "Acme");
});
