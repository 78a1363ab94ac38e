import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { startScripted } from "../../sdk/test/scripted-server.ts";
import { createBridge } from "../src/client/mcp-bridge.ts";
import { startWaypost } from "./waypost.ts";

const call = (id: number, method = "tools/list") => JSON.stringify({ jsonrpc: "2.0", id, method });

test("a canceled call closes its connection and is answered by nothing; the next call is", async (t) => {
  const held: ServerResponse[] = [];
  const hold = (response: ServerResponse) => held.push(response);
  const server = await startScripted(t, hold, (response, { body }) => {
    const { id } = JSON.parse(body);
    response.writeHead(200, { "Content-Type": "application/json" }).end(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  });
  const lines: string[] = [];
  const bridge = createBridge({ url: server.baseUrl, apiKey: "svc_test_x" }, (line) => lines.push(line));

  const calling = bridge.send(call(1));
  while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = once(held[0] as ServerResponse, "close");
  const params = { requestId: 1, reason: "the user left" };
  await bridge.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params }));
  await Promise.all([closed, calling]);
  await bridge.send(call(2));

  assert.deepEqual(lines, ['{"jsonrpc":"2.0","id":2,"result":{}}']);
  assert.equal(server.seen.length, 2);
});

test("calls over the bound are refused, and a cancellation behind them still arrives", async (t) => {
  const held: ServerResponse[] = [];
  const server = await startScripted(t, (response) => held.push(response));
  const lines: string[] = [];
  const bridge = createBridge({ url: server.baseUrl, apiKey: "svc_test_x" }, (line) => lines.push(line));

  const calls = Array.from({ length: 64 }, (_, id) => bridge.send(call(id)));
  await bridge.send(call(64));
  for (let id = 0; id < 64; id += 1) {
    void bridge.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  }
  await Promise.all(calls);

  const message = "64 calls are in progress; wait for some to end.";
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    [{ jsonrpc: "2.0", id: 64, error: { code: -32_603, message } }],
  );
});

test("the address may have a path, as everywhere, and a batch is answered as an error", async (t) => {
  const server = await startScripted(t, (response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"jsonrpc":"2.0","id":1,"result":{}}'),
  );
  const lines: string[] = [];
  for (const path of ["", "/", "/api/v1", "/waypost", "/waypost/api/v1/"]) {
    const url = `${server.baseUrl}${path}`;
    const bridge = createBridge({ url, apiKey: "svc_test_x" }, (line) => lines.push(line));
    await bridge.send(call(1));
  }
  const bridge = createBridge({ url: server.baseUrl, apiKey: "svc_test_x" }, (line) => lines.push(line));
  await bridge.send(`[${call(1)},${call(2)}]`);

  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ["/mcp", "/mcp", "/mcp", "/waypost/mcp", "/waypost/mcp"],
  );
  const { id, error } = JSON.parse(lines.at(-1) ?? "");
  assert.deepEqual([id, error.code], [null, -32_600]);
  assert.throws(() => createBridge({ url: "nonsense", apiKey: "svc_test_x" }, () => undefined), /^Error: WAYPOST_URL/);
});

test("the version that the handshake agreed on goes with every call, however the answer came", async (t) => {
  const result = '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}';
  for (const [type, answer] of [
    ["application/json", result],
    ["text/event-stream", `event: message\ndata: ${result}\n\n`],
  ] as const) {
    const server = await startScripted(t, (response) => response.writeHead(200, { "Content-Type": type }).end(answer));
    const lines: string[] = [];
    const bridge = createBridge({ url: server.baseUrl, apiKey: "svc_test_x" }, (line) => lines.push(line));

    await bridge.send(call(1, "initialize"));
    await bridge.send(call(1));

    assert.deepEqual(lines, [result, result], type);
    const versions = server.seen.map(({ headers }) => headers["mcp-protocol-version"]);
    assert.deepEqual(versions, [undefined, "2025-06-18"], type);
  }
});

test("a call that something else answers is answered as an error, and leaves nobody waiting", async (t) => {
  const page = { "Content-Type": "text/html" };
  const server = await startScripted(
    t,
    (response) => response.writeHead(200, page).end("<p>Welcome</p>"),
    (response) => response.writeHead(200, { "Content-Type": "text/event-stream" }).end(": nothing\n\n"),
    (response) => response.writeHead(502, page).end("<p>Bad gateway</p>"),
    (response) => response.writeHead(202).end(),
  );
  const lines: string[] = [];
  const bridge = createBridge({ url: server.baseUrl, apiKey: "svc_test_x" }, (line) => lines.push(line));

  for (const id of [1, 2, 3]) await bridge.send(call(id));
  await bridge.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  await bridge.send('{"jsonrpc":"2.0","id":4,"result":{}}');

  const errors = lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error.message]);
  const other = `What answers at ${server.baseUrl} is not Waypost; check WAYPOST_URL.`;
  assert.deepEqual(errors, [
    [1, other],
    [2, other],
    [3, "The service answered 502."],
  ]);
});

test("a message ends at its line feed alone, however the input is cut, and answers hold no other line ends", async (t) => {
  const server = await startScripted(t, (response, { body }) => {
    const { id, params } = JSON.parse(body);
    response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, result: params }));
  });
  const child = startWaypost(["mcp"], { WAYPOST_URL: server.baseUrl, WAYPOST_API_KEY: "svc_test_x" });
  t.after(() => child.kill("SIGKILL"));
  const q = "caf\u00e9\u2028Graz\u2029\u{1f600}";
  const message = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "x", params: { q } });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => (out += String(chunk)));

  const input = Buffer.from(`\ufeff${message(1)}\r\n\n${message(2)}`);
  for (const byte of input) child.stdin.write(Buffer.of(byte));
  child.stdin.end();
  await once(child, "close");

  const lines = out.split(/[\n\u2028\u2029]/).filter(Boolean);
  const answers = lines.map((line) => JSON.parse(line)).toSorted((one, other) => one.id - other.id);
  assert.deepEqual(answers, [
    { jsonrpc: "2.0", id: 1, result: { q } },
    { jsonrpc: "2.0", id: 2, result: { q } },
  ]);
});
