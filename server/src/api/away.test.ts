import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { fileDatabase, startApi } from "../../test/harness.ts";
import { startTcp } from "../../test/local-servers.ts";
import type { Connection } from "../platform/postgres/database.ts";
import { newId, newUuid } from "../platform/ids.ts";

/** The test's database behind a door that the test can shut, and jam. */
async function doorTo(t: Parameters<typeof startTcp>[0], connection: Connection) {
  const state = { door: "open" as "open" | "shut" | "jammed" };
  const { port, connections } = await startTcp(t, (client) => {
    if (state.door === "shut") return void client.destroy();
    const server = net.connect(socketOf(connection));
    server.on("error", () => client.destroy());
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
    client.on("data", (bytes) => void (state.door === "jammed" || server.write(bytes)));
    server.on("data", (bytes) => void (state.door === "jammed" || client.write(bytes)));
  });
  const shut = () => {
    state.door = "shut";
    for (const socket of connections) socket.destroy();
  };
  return { through: throughPort(connection, port), shut, jam: () => void (state.door = "jammed") };
}

function socketOf(connection: Connection): net.NetConnectOpts {
  if ("socketFolder" in connection) return { path: `${connection.socketFolder}/.s.PGSQL.5432` };
  const { hostname, port } = new URL(connection.url);
  return { host: hostname, port: Number(port || 5432) };
}

function throughPort(connection: Connection, port: number): Connection {
  if (!("socketFolder" in connection)) {
    const url = new URL(connection.url);
    url.hostname = "127.0.0.1";
    url.port = String(port);
    return { url: url.href };
  }
  const { user, password, database } = connection;
  return { url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}` };
}

test("while the database is away every route answers temporarily_unavailable, and nothing was done", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through });
  const { text: key } = await api.givenKey({ environment: "live" });
  door.shut();
  api.clock.advance(1_000); // keys that were read are not cached any longer

  for (const { method, url } of api.routes.filter(({ config, method: each }) => config?.need && each !== "HEAD")) {
    const path = url.replaceAll(/:[A-Za-z]+/g, newId("job"));
    const { status, headers, body } = await api.call(path, { method, key, headers: { "Idempotency-Key": newUuid() } });
    assert.equal(status, 503, `${method} ${url}: ${JSON.stringify(body)}`);
    assert.equal(body["error"].code, "temporarily_unavailable");
    assert.equal(body["error"].retryable, true);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  }
});

// The one timed promise: a database that hangs is noticed within five seconds.
test("a database that hangs is answered for within five seconds", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through });
  const { text: key } = await api.givenKey();
  door.jam();
  api.clock.advance(1_000);

  const startedAt = performance.now();
  const { status, body } = await api.searchAs(key, { q: "coffee" });

  assert.equal(status, 503);
  assert.equal(body["error"].code, "temporarily_unavailable");
  assert.ok(performance.now() - startedAt < 5_000);
  door.shut();
});
