import assert from "node:assert/strict";
import net from "node:net";
import { test, type TestContext } from "node:test";
import { startHttp, startTcp } from "../../../test/local-servers.ts";
import { assertFails, openOutbound } from "../../../test/outbound.ts";

const limits = { deadlineMs: 5_000, bytesMax: 10_000, protocols: ["http:"] as const };

/** A proxy that connects every name to one port of ours, and remembers what it was asked. */
async function startProxy(t: TestContext, port: number, answer = "HTTP/1.1 200 Connection established\r\n\r\n") {
  const asked: string[] = [];
  const proxy = await startTcp(t, (client) => {
    client.once("data", (head) => {
      asked.push(head.toString("latin1"));
      client.write(answer);
      if (!answer.includes(" 200 ")) return void client.end();
      const target = net.connect(port, "127.0.0.1");
      t.after(() => target.destroy());
      target.on("error", () => client.destroy());
      client.pipe(target).pipe(client);
    });
  });
  return { asked, url: `http://127.0.0.1:${proxy.port}` };
}

test("a request goes through the operator's proxy, which looks the name up, and the connection is kept", async (t) => {
  const server = await startHttp(t, (request, response) => response.end(`${request.headers.host} ${request.url}`));
  const proxy = await startProxy(t, server.port);
  const outbound = openOutbound(t);
  const through = proxy.url.replace("//", "//user:p%40ss@");
  const request = { ...limits, url: "http://only-the-proxy-knows.invalid/path?x=1", proxy: through, keepAlive: true };

  const first = await outbound.request(request);
  for (let count = 0; count < 8; count += 1) await outbound.request(request);

  assert.equal(first.body.toString(), "only-the-proxy-knows.invalid /path?x=1");
  assert.ok(proxy.asked.length <= 2); // undici opens a second one while the first finishes its answer
  const authorization = Buffer.from("user:p@ss").toString("base64");
  assert.equal(
    proxy.asked[0],
    `CONNECT only-the-proxy-knows.invalid:80 HTTP/1.1\r\nHost: only-the-proxy-knows.invalid:80\r\nProxy-Authorization: Basic ${authorization}\r\n\r\n`,
  );
});

test("a proxy that is not public is reached only where the operator allows it", async (t) => {
  const proxy = await startProxy(t, 9);
  const outbound = openOutbound(t, { allow: [] });

  await assertFails(outbound.request({ ...limits, url: "http://name.invalid/", proxy: proxy.url }), "not_public");
  assert.deepEqual(proxy.asked, []);
});

test("an address that is not public is refused also behind a proxy", async (t) => {
  const proxy = await startProxy(t, 9);
  const outbound = openOutbound(t);

  await assertFails(outbound.request({ ...limits, url: "http://10.0.0.1/", proxy: proxy.url }), "not_public");
});

test("a proxy that refuses, talks without end or says nothing is no connection", async (t) => {
  const outbound = openOutbound(t);
  const url = "http://name.invalid/";
  for (const answer of [
    "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
    "x".repeat(20_000),
    "SSH-2.0-hello\r\n\r\n",
  ]) {
    const proxy = await startProxy(t, 9, answer);
    await assertFails(outbound.request({ ...limits, url, proxy: proxy.url }), "connect_failed");
  }
  const { port } = await startTcp(t, (client) => void client.write("HTTP/1.1 200 "));
  const silent = { ...limits, deadlineMs: 300, url, proxy: `http://127.0.0.1:${port}` };
  await assertFails(outbound.request(silent), "timed_out");
});
