import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, answering } from "../server/test/webhook-receiver.ts";
import { startService, waypost } from "./service.ts";
import { assertGenuine, call, liveKeyIn, setUp } from "./webhook-stage.ts";

test("a running service delivers signed events over TLS, and shows the attempt", async (t) => {
  const { receiver, environment } = await setUp(t);
  const { address, output } = await startService(t, environment);
  const key = liveKeyIn(output);
  const created = await call(address, key, "POST", "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.completed"],
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { id, secret } = created.body["data"];

  const sent = await call(address, key, "POST", `/webhook-endpoints/${id}/test`);
  await receiver.until(() => receiver.received.length === 1);

  assert.equal(sent.status, 202);
  assertGenuine(receiver.received[0], secret);
  let shown = await call(address, key, "GET", `/webhook-endpoints/${id}/deliveries`);
  while (shown.body["data"][0].status === "pending") {
    shown = await call(address, key, "GET", `/webhook-endpoints/${id}/deliveries`);
  }
  const [delivery] = shown.body["data"];
  assert.equal(delivery.status, "delivered");
  assert.equal(delivery.attempts[0].http_status, 204);
});

test("the master key can be changed while the service runs, and nothing is lost", async (t) => {
  const { receiver, environment } = await setUp(t);
  const { address, output } = await startService(t, environment);
  const key = liveKeyIn(output);
  const json = { url: receiver.url, event_types: ["scrape.completed"] };
  const before = (await call(address, key, "POST", "/webhook-endpoints", json)).body["data"];

  const { code, stdout, stderr } = await waypost(["secrets", "rekey", "--json"], environment);
  const after = (await call(address, key, "POST", "/webhook-endpoints", json)).body["data"];
  for (const { id } of [before, after]) await call(address, key, "POST", `/webhook-endpoints/${id}/test`);
  await receiver.until(() => receiver.received.length === 2);

  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).resealed, 1);
  for (const { id, secret } of [before, after]) {
    assertGenuine(
      receiver.received.find(({ body }) => body["data"].endpoint_id === id),
      secret,
    );
  }
});

test("a service that is told to stop hands back what hangs, and a worker takes it up", async (t) => {
  const { receiver, environment } = await setUp(t);
  const service = await startService(t, environment);
  const key = liveKeyIn(service.output);
  const { body } = await call(service.address, key, "POST", "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.completed"],
  });
  const { id, secret } = body["data"];
  receiver.answer = () => undefined;
  await call(service.address, key, "POST", `/webhook-endpoints/${id}/test`);
  await receiver.until(() => receiver.received.length === 1);

  const ended = await service.end("SIGTERM");
  receiver.answer = accept;
  await startService(t, { ...environment, WAYPOST_ROLE: "worker" });
  await receiver.until(() => receiver.received.length === 2);

  assert.deepEqual(ended, { code: 0, signal: null });
  assertGenuine(receiver.received[1], secret);
  assert.equal(receiver.received[1]?.headers["x-svc-delivery-attempt"], "1");
});

test("without the operator's exception nothing on loopback is reached, and a service of role api sends nothing", async (t) => {
  const { receiver, environment } = await setUp(t);
  receiver.answer = answering(200);
  const open = await startService(t, { ...environment, WAYPOST_ROLE: "api" });
  const key = liveKeyIn(open.output);
  const json = { url: receiver.url, event_types: ["scrape.completed"] };
  const { body } = await call(open.address, key, "POST", "/webhook-endpoints", json);
  const { id } = body["data"];
  await call(open.address, key, "POST", `/webhook-endpoints/${id}/test`);
  await open.end("SIGTERM");

  const closed = await startService(t, { ...environment, WAYPOST_OUTBOUND_ALLOW: "" });
  const refused = await call(closed.address, key, "POST", "/webhook-endpoints", json);
  let endpoint = await call(closed.address, key, "GET", `/webhook-endpoints/${id}`);
  while (endpoint.body["data"].status === "active") {
    endpoint = await call(closed.address, key, "GET", `/webhook-endpoints/${id}`);
  }

  assert.equal(refused.status, 400);
  assert.equal(endpoint.body["data"].status_reason, "non_public_target");
  assert.equal(receiver.connections, 0);
});
