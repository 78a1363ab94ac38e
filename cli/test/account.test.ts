import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { defer } from "../../server/test/defer.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { addressOf, readKey } from "../src/client/account.ts";
import { findCredentials, removeCredentials, storeCredentials } from "../src/client/credentials.ts";
import { CredentialProblem, explain, Interrupted } from "../src/failures.ts";

/** A terminal at which somebody types; the real one is read key by key too. */
function terminal(typed: string): NodeJS.ReadStream {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  setImmediate(() => input.write(typed));
  return input as unknown as NodeJS.ReadStream;
}

test("a key is read from a terminal, and Ctrl-C and Ctrl-D leave with 130", async () => {
  assert.equal(await readKey(terminal("svc_test_x\r")), "svc_test_x");
  for (const keys of ["\u0003", "half\u0003", "\u0004"]) {
    const error = await readKey(terminal(keys)).catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Interrupted, JSON.stringify(keys));
    assert.equal(explain(error, false), 130);
  }
});

test("login goes where --url says, then WAYPOST_URL, then to this machine; an empty setting is none", () => {
  const given = { WAYPOST_URL: "http://b.example" };

  assert.equal(addressOf({ url: "http://a.example" }, given), "http://a.example");
  assert.equal(addressOf({}, given), "http://b.example");
  assert.equal(addressOf({}, { WAYPOST_URL: "" }), "http://127.0.0.1:8080");
});

test("a key and an address in the environment need no file, and one that cannot be used is told with the way out", async (t) => {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  const given = { WAYPOST_API_KEY: "svc_test_x", WAYPOST_URL: "http://a.example" };
  const unreadable = { XDG_CONFIG_HOME: folder };
  await mkdir(join(folder, "waypost/credentials.json"), { recursive: true, mode: 0o700 });

  assert.deepEqual(await findCredentials({ ...unreadable, ...given }), {
    apiKey: "svc_test_x",
    url: "http://a.example",
  });
  await assert.rejects(findCredentials(unreadable), (error: Error) => {
    assert.ok(error instanceof CredentialProblem);
    assert.match(error.message, /credentials\.json cannot be read \(EISDIR\): set XDG_CONFIG_HOME/);
    return true;
  });
  await assert.rejects(storeCredentials({ url: "", apiKey: "" }, unreadable), /cannot be written .*nothing was stored/);
});

test("a home that is no folder holds no key", async (t) => {
  const folder = await makeTempFolder();
  defer(t, () => removeFolder(folder));
  const home = join(folder, "file");
  await writeFile(home, "");

  assert.deepEqual(await findCredentials({ HOME: home, WAYPOST_API_KEY: "svc_test_x" }), {
    apiKey: "svc_test_x",
    url: "http://127.0.0.1:8080",
  });
  await assert.rejects(findCredentials({ HOME: home }), /There is no API key/);
  assert.equal(await removeCredentials({ HOME: home }), false);
});
