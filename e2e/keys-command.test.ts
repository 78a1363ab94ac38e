import assert from "node:assert/strict";
import { test } from "node:test";
import { newDataFolder, newPreparedFolder, search, startService, waypost } from "./service.ts";

test("keys are made, listed, rotated and revoked while the service runs and while it does not", async (t) => {
  const environment = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };
  const keys = (...words: string[]) => waypost(["keys", ...words, "--json"], environment);
  let service = await startService(t, environment);

  for (const running of [true, false]) {
    if (!running) await service.end("SIGTERM");
    const created = JSON.parse(
      (await keys("create", "--name", "mine", "--environment", "test", "--scopes", "scrapes:write,scrapes:read"))
        .stdout,
    );
    assert.deepEqual(created.scopes, ["scrapes:write", "scrapes:read"]);
    const rotated = JSON.parse((await keys("rotate", created.id, "--overlap", "1")).stdout);
    const revoked = JSON.parse((await keys("revoke", created.id, "--reason", "no longer needed")).stdout);
    assert.equal(revoked.status, "revoked");
    const listed = JSON.parse((await keys("list")).stdout).keys as { id: string; status: string }[];
    assert.equal(listed.find(({ id }) => id === created.id)?.status, "revoked");
    if (!running) service = await startService(t, environment);
    assert.equal((await search(service.address, rotated.key)).status, 200);
    assert.equal((await search(service.address, created.key)).status, 401);
  }
});

test("people get words: the new key alone on the first line, a table of keys, a sentence", async (t) => {
  const environment = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };
  await startService(t, environment);

  const created = await waypost(["keys", "create", "--name", "mine"], environment);
  const listed = await waypost(["keys", "list"], environment);

  assert.match(created.stdout, /^svc_live_\w+\n\nThis is the only time the key is shown\./);
  assert.match(listed.stdout, /^ID +KEY +STATUS +NAME +ORGANIZATION +LAST USE\n/);
  assert.equal(listed.stdout.trim().split("\n").length, 4);
  assert.ok(!listed.stdout.includes(created.stdout.split("\n")[0] ?? "?"));
});

test("what cannot be done is told in a sentence, with exit code 1 for the matter, 2 for the usage and 4 for what is not there", async (t) => {
  const environment = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };
  const empty = await waypost(["keys", "list"], { WAYPOST_DATA_DIR: await newDataFolder(t) });
  assert.equal(empty.code, 1);
  assert.match(empty.stderr, /There is no Waypost data in .* Start the service there once/);
  await startService(t, environment);

  for (const [words, code, message] of [
    [["keys", "revoke", "key_nonsense", "--reason", "long enough a reason"], 4, /There is no API key key_nonsense/],
    [["keys", "create", "--name", "x", "--environment", "prod"], 2, /environment: must be one of live, test/],
    [["keys", "create", "--name", "x", "--networks", "10.0.0.0/99"], 2, /10\.0\.0\.0\/99 is not a CIDR block/],
    [["keys", "create", "--name", "x", "--expires", "soon"], 2, /must be a date/],
    [["keys", "create", "--name", "x", "--org", "nobody"], 4, /There is no organization nobody/],
    [["keys", "create"], 2, /--name is required/],
    [["keys", "rotate"], 2, /Give one KEY, by id or name/],
    [["keys", "list", "--all"], 2, /Unknown option '--all'/],
    [["keys", "fly"], 2, /Unknown command .fly./],
  ] as const) {
    const answer = await waypost(words, environment);
    assert.equal(answer.code, code, words.join(" "));
    assert.match(answer.stderr, message, words.join(" "));
  }
});

test("help is there at every level and needs no database", async () => {
  for (const words of [[], ["--help"], ["help"], ["keys", "create", "--help"]]) {
    const { code, stdout } = await waypost(words, { WAYPOST_DATA_DIR: "/nowhere" });
    assert.equal(code, 0, words.join(" "));
    assert.match(stdout, /waypost/);
  }
});
