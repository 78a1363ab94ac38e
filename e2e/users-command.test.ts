import assert from "node:assert/strict";
import { test } from "node:test";
import { defer } from "../server/test/defer.ts";
import { createTestDatabase, databaseUrl } from "../server/test/postgres.ts";
import { newDataFolder, startService, waypost } from "./service.ts";

test("the first start's link makes the first owner, and commands invite, reset and remove people", async (t) => {
  const database = await createTestDatabase();
  defer(t, () => database.drop());
  const environment = { WAYPOST_DATA_DIR: await newDataFolder(t), DATABASE_URL: databaseUrl(database.connection) };
  const { address, output } = await startService(t, environment);
  const accept = (path: string, answer: object) =>
    fetch(`${address}/console/api/links/accept`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: address },
      body: JSON.stringify({ token: path.split("#")[1], ...answer }),
    });
  const ask = async (...words: string[]) => {
    const { code, stdout, stderr } = await waypost(["users", ...words, "--json"], environment);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  const password = "four words make this";

  const link = /http\S+\/console\/join#\S+/.exec(output)?.[0] ?? "";
  assert.ok(link.startsWith(address));
  const first = { name: "Ada", email: "ada@example.com", password };
  assert.equal((await accept(link, first)).status, 200);
  assert.equal((await accept(link, first)).status, 404, "a link works once");

  const { path, url } = await ask("invite", "--email", "Bo@example.com", "--role", "viewer");
  assert.equal(url, null, "nobody has said where people reach the service");
  assert.equal((await accept(path, { name: "Bo", password })).status, 200);
  const reset = await ask("reset", "bo@example.com");
  assert.equal((await accept(reset.path, { password: "five words make it too" })).status, 200);
  const known = { ...environment, WAYPOST_PUBLIC_URL: "https://waypost.example.com/" };
  const whole = await waypost(["users", "invite", "--email", "cy@example.com"], known);
  assert.match(whole.stdout, /^ {2}https:\/\/waypost\.example\.com\/console\/join#\S{43}$/m);
  assert.ok(!whole.stdout.includes("in front"), "a link that is whole needs no address in front");
  const { users } = await ask("list");
  assert.deepEqual(
    users.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [
      ["ada@example.com", "owner"],
      ["bo@example.com", "viewer"],
    ],
  );

  assert.deepEqual(await ask("release", "bo@example.com"), { released: "bo@example.com" });
  assert.deepEqual(await ask("remove", "bo@example.com"), { removed: "bo@example.com" });
  assert.equal((await ask("list")).users.length, 1);
  const refused = await waypost(["users", "remove", "ada@example.com"], environment);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /at least one owner/);
});
