import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { addressOf, readKey } from "../src/client/account.ts";
import { explain, Interrupted } from "../src/failures.ts";

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
