import assert from "node:assert/strict";
import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../src/platform/postgres/database.ts";
import { startTcp } from "./local-servers.ts";

/** The test's database behind a door that the test can shut, jam, and keep newcomers waiting at. */
export async function doorTo(t: Parameters<typeof startTcp>[0], connection: Connection) {
  const state = {
    door: "open" as "open" | "shut" | "jammed" | "guarded",
    severed: undefined as Severed | undefined,
    forgotten: new Set<net.Socket>(),
    isPooler: false,
  };
  const { port, connections } = await startTcp(t, (client) => {
    if (state.door === "shut") return void client.destroy();
    const isGuarded = state.door === "guarded";
    const passes = () => state.door !== "jammed" && !isGuarded && !state.forgotten.has(client);
    const server = net.connect(socketOf(connection));
    server.on("error", () => client.destroy());
    let isSevered = false;
    client.on("close", () => void (isSevered || server.destroy()));
    server.on("close", () => client.destroy());
    client.on("data", (bytes) => {
      if (!state.severed || !bytes.includes(state.severed.text)) return void (passes() && server.write(bytes));
      const { lateMs } = state.severed;
      state.severed = undefined;
      isSevered = true;
      if (lateMs === undefined) return void server.write(bytes);
      client.destroy();
      setTimeout(() => server.end(bytes), lateMs);
    });
    server.on("data", (bytes) => {
      if (isSevered) server.destroy();
      else if (passes()) client.write(state.isPooler ? renumber(bytes) : bytes);
    });
  });
  const shut = () => {
    state.door = "shut";
    for (const socket of connections) socket.destroy();
  };
  const open = () => {
    shut(); // what was sent into the jam is lost, as it is when a machine comes back
    state.door = "open";
  };
  const jam = () => void (state.door = "jammed");
  /** Nothing is read any more, not even that a client has left, as by a server that is frozen. */
  const freeze = () => connections.forEach((socket) => socket.pause());
  /** Who is through the door already goes on. */
  const guard = () => void (state.door = "guarded");
  /** Nothing passes any more on the connections that are there, which do not break either; new ones work. */
  const forget = () => void (state.forgotten = new Set(connections));
  /** The answer to the next message with this text is lost together with its connection. */
  const loseAnswerTo = (text: string) => void (state.severed = { text });
  /** The next message with this text arrives so much later, on a connection that its sender has lost at once. */
  const delay = (text: string, lateMs: number) => void (state.severed = { text, lateMs });
  /** New connections are told another number of their session than the server's, as a pooler's clients are. */
  const pose = () => void (state.isPooler = true);
  return { through: throughPort(connection, port), shut, jam, freeze, guard, open, forget, loseAnswerTo, delay, pose };
}

/** BackendKeyData: its letter and length, the number of the session, its secret. */
const keyData = Buffer.from("K\0\0\0\f");

function renumber(bytes: Buffer): Buffer {
  const at = bytes.indexOf(keyData);
  if (at >= 0) bytes.writeInt32BE(1, at + keyData.length);
  return bytes;
}

type Severed = { text: string; lateMs?: number };

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

export async function until(isTrue: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  const deadline = Date.now() + seconds * 1_000;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, `it did not come true within ${seconds} seconds`);
    await sleep(50);
  }
}
