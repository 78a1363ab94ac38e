import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { credentialsPath } from "../src/client/credentials.ts";
import { keepFirstKey } from "../src/client/first-key.ts";
import { waypost } from "./waypost.ts";

const credentials = { url: "http://127.0.0.1:8080", apiKey: "svc_live_x" };

async function newHome(t: TestContext) {
  const home = await makeTempFolder();
  t.after(() => removeFolder(home));
  return { HOME: home };
}

test("the live key of a first start is kept for the command alone, which works without a login", async (t) => {
  const environment = await newHome(t);
  const { baseUrl: url, seen } = await startScripted(t, answer({ total: 0, businesses: [] }));
  const start = { environment, isInteractive: true, isContainer: false };

  const path = await keepFirstKey({ ...credentials, url }, start);
  const { code, error } = await waypost(["search", "coffee", "in", "Vaduz"], environment);

  assert.equal(path, credentialsPath(environment));
  assert.equal((await stat(path ?? "")).mode & 0o777, 0o600);
  assert.equal(code, 0, error);
  assert.equal(seen[0]?.headers["api-key"] ?? seen[0]?.headers.authorization, "Bearer svc_live_x");
});

test("nothing is kept without a terminal, in a container, or beside other credentials", async (t) => {
  const environment = await newHome(t);
  const start = { environment, isInteractive: true, isContainer: false };
  const path = credentialsPath(environment);

  const kept = [
    await keepFirstKey(credentials, { ...start, isInteractive: false }),
    await keepFirstKey(credentials, { ...start, isContainer: true }),
    await keepFirstKey(credentials, { ...start, environment: { ...environment, WAYPOST_API_KEY: "svc_test_y" } }),
    await keepFirstKey(credentials, { ...start, environment: { ...environment, WAYPOST_URL: "http://elsewhere" } }),
  ];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "mine");
  kept.push(await keepFirstKey(credentials, start));

  assert.deepEqual(kept, Array(5).fill(undefined));
  assert.equal(await readFile(path, "utf8"), "mine");
});

test("a home that cannot be written does not keep the service from starting", async (t) => {
  const environment = await newHome(t);
  await writeFile(join(environment.HOME, ".config"), "a file");

  assert.equal(await keepFirstKey(credentials, { environment, isInteractive: true, isContainer: false }), undefined);
});
