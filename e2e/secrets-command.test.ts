import assert from "node:assert/strict";
import { test } from "node:test";
import { newPreparedFolder, startService, waypost } from "./service.ts";

test("the master key is changed while the service runs, which goes on with the new one and starts on it", async (t) => {
  const environment = { WAYPOST_DATA_DIR: await newPreparedFolder(t) };
  const service = await startService(t, environment);
  const key = /svc_live_\w+/.exec(service.output)?.[0] ?? "";
  const call = async (address: string, path: string, json: object) => {
    const headers = { "API-KEY": key, "Content-Type": "application/json" };
    const response = await fetch(`${address}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(json) });
    return { status: response.status, body: (await response.json()) as { data: { id: string; secret: string } } };
  };
  const endpoint = { url: "https://93.184.216.34/", event_types: ["scrape.completed"] };
  const before = await call(service.address, "/webhook-endpoints", endpoint);
  assert.equal(before.status, 201);

  const rekeyed = await waypost(["secrets", "rekey", "--json"], environment);

  assert.equal(rekeyed.code, 0, rekeyed.stderr);
  assert.equal((JSON.parse(rekeyed.stdout) as { resealed: number }).resealed, 1);
  const rotation = `/webhook-endpoints/${before.body.data.id}/rotate-secret`;
  assert.equal((await call(service.address, rotation, { mode: "normal" })).status, 200);
  await service.end("SIGTERM");
  const again = await startService(t, environment);
  assert.equal((await call(again.address, rotation, { mode: "normal" })).status, 200);
});
