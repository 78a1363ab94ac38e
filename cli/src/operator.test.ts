import assert from "node:assert/strict";
import { test } from "node:test";
import { doorTo } from "../../server/test/database-door.ts";
import { databaseUrl } from "../../server/test/postgres.ts";
import { givenInstallation } from "./installation.ts";

test("what is not there ends an operator's command with 4, as it does a client's", async (t) => {
  const { run } = await givenInstallation(t);
  await run("org", "create", "--name", "Acme");

  for (const words of [
    ["keys", "revoke", "key_zzz", "--reason", "found in a public repository"],
    ["users", "reset", "nobody@example.com"],
    ["catalog", "remove", "nosuch"],
    ["org", "show", "nosuch"],
  ]) {
    const { code, error } = await run(...words);
    assert.equal(code, 4, `${words.join(" ")}: ${error}`);
  }
});

test("what is wrong with a key's options is said by their names", async (t) => {
  const { run } = await givenInstallation(t);
  await run("org", "create", "--name", "Acme");

  const { code, error } = await run("keys", "create", "--name", "x", "--expires", "2020-01-01", "--networks", "all");
  const unreadable = await run("keys", "create", "--name", "x", "--expires", "tomorrow");
  const nonexistent = await run("keys", "create", "--name", "x", "--expires", "2127-02-30");

  assert.equal(code, 2);
  assert.match(error, /\n {2}--networks: all is not a CIDR block.*\n {2}--expires: must be a time in the future\n$/);
  assert.match(unreadable.error, /\n {2}--expires: must be a date such as/);
  assert.match(nonexistent.error, /\n {2}--expires: must be a date such as/);
});

test("keys of several organizations are listed, rotated and revoked by id or name, without naming the organization", async (t) => {
  const { run } = await givenInstallation(t);
  const make = async (...words: string[]) => JSON.parse((await run(...words, "--json")).out);
  await run("org", "create", "--name", "Acme");
  await run("org", "create", "--name", "Other");
  const mine = await make("keys", "create", "--org", "Acme", "--name", "shop");
  const theirs = await make("keys", "create", "--org", "Other", "--name", "till");

  const listed = await run("keys", "list");
  const rotated = await make("keys", "rotate", theirs.id);
  const revoked = await make("keys", "revoke", "shop", "--reason", "no longer needed");
  const ambiguous = await run("keys", "revoke", "till", "--reason", "no longer needed");
  const one = await make("keys", "list", "--org", "Other");

  assert.match(listed.out, /^ID +KEY +STATUS +NAME +ORGANIZATION +LAST USE\n/);
  assert.match(listed.out, new RegExp(`${mine.id}.* Acme `));
  assert.match(listed.out, new RegExp(`${theirs.id}.* Other `));
  assert.deepEqual([rotated.organization, revoked.id, revoked.status], ["Other", mine.id, "revoked"]);
  assert.match(ambiguous.error, /^Several API keys are called till: say which one by its id, key_\w+ or key_\w+\.\n$/);
  assert.deepEqual(
    one.keys.map(({ name }: { name: string }) => name),
    ["till", "till"],
  );
});

test("an organization that is not named among several is asked for as every command takes it", async (t) => {
  const { run } = await givenInstallation(t);
  await run("org", "create", "--name", "Acme");
  await run("org", "create", "--name", "Acme");

  for (const words of [
    ["keys", "create", "--name", "x"],
    ["org", "show", "Acme"],
  ]) {
    const { code, error } = await run(...words);
    assert.equal(code, 1);
    assert.match(error, /^Say which organization, by its id: [-\da-f]{36}, [-\da-f]{36}\. Add --help to see how\.\n$/);
  }
});

test("commands work while the first of several hosts is gone, and say what to do when all are", async (t) => {
  const { connection, env, run } = await givenInstallation(t);
  const door = await doorTo(t, connection);
  const url = databaseUrl(door.through);
  env.DATABASE_URL = url.replace("@127.0.0.1", "@127.0.0.1:1,127.0.0.1");

  const created = await run("org", "create", "--name", "Acme");
  const shown = await run("status", "--json");
  env.DATABASE_URL = url.replace(/@127.0.0.1:\d+/, "@127.0.0.1:1,127.0.0.1:2");
  const away = await run("org", "list");

  assert.equal(created.code, 0, created.error);
  assert.equal(JSON.parse(shown.out).database.problem, null);
  assert.equal(away.code, 1);
  assert.match(away.error, /^The PostgreSQL of DATABASE_URL could not be reached .* Start it, or correct the host/);
});
