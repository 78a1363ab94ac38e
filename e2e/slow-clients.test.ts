import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { newPreparedFolder, startService } from "./service.ts";

test("a client that sends half of a request holds up a stop for ten seconds at most, and PostgreSQL stops too", async (t) => {
  const folder = await newPreparedFolder(t);
  const service = await startService(t, { WAYPOST_DATA_DIR: folder });
  const [key] = /svc_test_\w+/.exec(service.output) ?? [];
  const socket = createConnection(Number(new URL(service.address).port), "127.0.0.1").on("error", () => undefined);
  t.after(() => socket.destroy());
  await once(socket, "connect");
  const headers = ["Host: a", `API-KEY: ${key}`, "Content-Type: application/json", "Content-Length: 500"];
  socket.write(["POST /api/v1/search HTTP/1.1", ...headers, "Expect: 100-continue", "", `{"q":`].join("\r\n"));
  await once(socket, "data"); // the service waits for the rest

  const ended = await service.end("SIGTERM");

  assert.deepEqual(ended, { code: 0, signal: null });
  assert.ok(!existsSync(join(folder, "postgres/cluster/postmaster.pid")), "PostgreSQL has stopped in order");
});
