import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { test } from "node:test";
import { idPattern, newId } from "../../../platform/ids.ts";
import { createOutbound, OutboundFailure } from "../../../platform/net/outbound.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import { startWebhooks } from "../../../../test/webhooks.ts";
import { endpointsMax } from "./endpoint.ts";
import { eventTypes } from "../events/event-types.ts";

test("creating an endpoint answers 201 with its record and a secret that is never shown again", async (t) => {
  const { send, receiver } = await startWebhooks(t);

  const { status, body } = await send("POST", "/webhook-endpoints", {
    url: receiver.url,
    event_types: ["scrape.completed"],
    description: "Orders",
  });

  assert.equal(status, 201);
  const { secret, ...record } = body.data;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.match(record.id, new RegExp(idPattern("whe")));
  assert.deepEqual(
    { ...record, id: "", created_at: "", updated_at: "" },
    {
      id: "",
      url: receiver.url,
      event_types: ["scrape.completed"],
      description: "Orders",
      status: "active",
      status_reason: null,
      warned_at: null,
      secret_version: 1,
      created_at: "",
      updated_at: "",
    },
  );
  assert.deepEqual((await send("GET", `/webhook-endpoints/${record.id}`)).body.data, record);
  assert.deepEqual((await send("GET", "/webhook-endpoints")).body.data, [record]);
});

test("an endpoint whose creating answer was lost is made once, and shows its secret to the same call again", async (t) => {
  const { call, send, receiver, key } = await startWebhooks(t);
  const body = { url: receiver.url, event_types: ["scrape.completed"] };
  const headers = { "Idempotency-Key": "an-endpoint-of-the-shop" };
  const create = (more = {}) => call("/api/v1/webhook-endpoints", { key, json: { ...body, ...more }, headers });

  const [first, twin] = await Promise.all([create(), create()]);
  const again = await create();

  assert.deepEqual([first.status, twin.status, again.status], [201, 201, 201]);
  assert.match(first.body.data.secret, /^whsec_/);
  assert.deepEqual([twin.body.data, again.body.data], [first.body.data, first.body.data]);
  assert.equal(again.headers.get("Idempotent-Replayed"), "true");
  assert.equal((await send("GET", "/webhook-endpoints")).body.data.length, 1);
  assert.equal((await create({ description: "another" })).body.error.code, "idempotency_key_reused");

  const path = `/webhook-endpoints/${again.body.data.id}`;
  await send("POST", `${path}/rotate-secret`, { mode: "normal" });
  const rotated = await create();
  assert.deepEqual([rotated.status, rotated.body.error.code], [409, "state_conflict"]);
  assert.match(rotated.body.error.message, /rotate it to get one/);
  await send("DELETE", path);
  assert.equal((await create()).status, 404);
});

test("a secret rests in the database only sealed", async (t) => {
  const { db, givenEndpoint } = await startWebhooks(t);
  const { uuid, secret } = await givenEndpoint();

  const { rows } = await db.query<{ sealed: Buffer }>(
    sql`select sealed from webhook_secrets where endpoint_id = ${uuid}`,
  );

  assert.equal(rows.length, 1);
  const sealed = rows[0]?.sealed ?? Buffer.alloc(0);
  assert.ok(!sealed.includes(secret) && !sealed.includes(Buffer.from(secret.slice(6), "base64")));
});

const urlOf = (port: number, length: number) =>
  `https://127.0.0.1:${port}/${"p".repeat(length - `https://127.0.0.1:${port}/`.length)}`;

const refusedCharacters = ["\0", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\ud800", "\udc00"];

test("every bound of creation holds on both sides", async (t) => {
  const { send, receiver } = await startWebhooks(t);
  const good = { url: receiver.url, event_types: ["scrape.started"] };
  const accepted = [
    { ...good, url: urlOf(receiver.port, 2048) },
    { ...good, event_types: [...eventTypes] },
    { ...good, description: "d" },
    { ...good, description: "é".repeat(200) },
    { ...good, description: "Orders 😀" },
  ];
  const refused: [Record<string, unknown>, string][] = [
    [{ ...good, url: urlOf(receiver.port, 2049) }, "/url"],
    [{ ...good, url: "" }, "/url"],
    [{ event_types: good.event_types }, "/url"],
    [{ url: good.url }, "/event_types"],
    [{ ...good, event_types: [] }, "/event_types"],
    [{ ...good, event_types: [...eventTypes, "scrape.started"] }, "/event_types"],
    [{ ...good, event_types: ["scrape.started", "scrape.started"] }, "/event_types"],
    [{ ...good, event_types: ["webhook.test"] }, "/event_types/0"],
    [{ ...good, event_types: "scrape.started" }, "/event_types"],
    [{ ...good, description: "" }, "/description"],
    [{ ...good, description: "é".repeat(201) }, "/description"],
    [{ ...good, description: null }, "/description"],
    ...refusedCharacters.flatMap((character): [Record<string, unknown>, string][] => [
      [{ ...good, description: `Or${character}ders` }, "/description"],
      [{ ...good, url: `${good.url}?${character}` }, "/url"],
      [{ ...good, url: `${good.url}${character}` }, "/url"],
    ]),
    [{ ...good, status: "paused" }, "/status"],
    [{ ...good, secret: "whsec_x" }, "/secret"],
  ];

  for (const json of accepted) {
    const { status, text } = await send("POST", "/webhook-endpoints", json);
    assert.equal(status, 201, text);
  }
  for (const [json, pointer] of refused) {
    const { status, body } = await send("POST", "/webhook-endpoints", json);
    assert.equal(status, 400, JSON.stringify(json));
    assert.equal(body.error.code, "invalid_request");
    assert.ok(
      body.error.details.some((detail: string) => detail.startsWith(pointer)),
      `${pointer}: ${body.error.details}`,
    );
  }
});

test("a URL must be HTTPS, on an allowed port, without credentials, with a public target", async (t) => {
  const { send, receiver } = await startWebhooks(t);
  const { port } = receiver;
  const urls = [
    `http://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port + 1}/`,
    "https://127.0.0.1/",
    `https://user@127.0.0.1:${port}/`,
    `https://user:word@127.0.0.1:${port}/`,
    `https://10.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    "not a url",
    ` https://127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}/ `,
    `https://127.0.0.1:${port}/a b`,
    `\u00a0https://127.0.0.1:${port}/`,
    "/relative",
  ];

  for (const url of urls) {
    const { status, body } = await send("POST", "/webhook-endpoints", { url, event_types: ["scrape.started"] });
    assert.equal(status, 400, url);
    assert.equal(body.error.code, "invalid_request");
    assert.match(body.error.details[0], /^\/url: must /);
    assert.ok(!body.error.details[0].includes("127.0.0.1") && !body.error.details[0].includes("10.0.0"));
  }
});

test("the refusal of a host that ends with a dot says so", async (t) => {
  const { send, receiver } = await startWebhooks(t);
  const url = `https://receiver.test.:${receiver.port}/`;

  const { status, body } = await send("POST", "/webhook-endpoints", { url, event_types: ["scrape.started"] });

  assert.equal(status, 400);
  assert.match(body.error.details[0], /^\/url: must .*, whose host does not end with a dot$/);
});

test("while no name can be looked up, saving and testing answer 503 with Retry-After, and nothing changes", async (t) => {
  let isResolverDown = false;
  const outbound = createOutbound({
    allow: ["127.0.0.0/8"],
    lookup: async () => {
      if (isResolverDown) throw new OutboundFailure("resolver_failed");
      return ["127.0.0.1"];
    },
  });
  const { send, receiver, givenEndpoint, endpoint, deliveries } = await startWebhooks(t, { outbound });
  const url = `https://receiver.test:${receiver.port}/`;
  const { id } = await givenEndpoint({ url });
  const before = await endpoint(id);
  isResolverDown = true;

  for (const { status, headers, body } of [
    await send("POST", "/webhook-endpoints", { url, event_types: ["scrape.started"] }),
    await send("PATCH", `/webhook-endpoints/${id}`, { url }),
    await send("PATCH", `/webhook-endpoints/${id}`, { status: "active" }),
    await send("POST", `/webhook-endpoints/${id}/test`),
  ]) {
    assert.equal(status, 503);
    assert.equal(body.error.code, "temporarily_unavailable");
    assert.equal(body.error.retryable, true);
    assert.equal(headers.get("retry-after"), "5");
  }

  assert.deepEqual(await endpoint(id), before);
  assert.deepEqual(await deliveries(id), []);
  assert.equal((await send("GET", "/webhook-endpoints")).body.data.length, 1);
});

test("thousands of event types in one request are refused without holding the process up", async (t) => {
  const { send, receiver } = await startWebhooks(t);
  const eventTypesSent = Array.from({ length: 6_000 }, (_, index) => ({ a: index }));
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();

  const { status } = await send("POST", "/webhook-endpoints", { url: receiver.url, event_types: eventTypesSent });

  delays.disable();
  assert.equal(status, 400);
  assert.ok(delays.max < 2e9, `the event loop stood still for ${delays.max / 1e6} ms`);
});

test("an organization has at most 20 endpoints, and a deleted one makes room, also when many ask at once", async (t) => {
  const { send, receiver, givenEndpoint, givenKey } = await startWebhooks(t);
  const json = { url: receiver.url, event_types: ["scrape.started"] };
  const first = await givenEndpoint();

  const answers = await Promise.all(
    Array.from({ length: endpointsMax + 4 }, () => send("POST", "/webhook-endpoints", json)),
  );

  const refused = answers.filter(({ status }) => status === 409);
  assert.equal(answers.filter(({ status }) => status === 201).length, endpointsMax - 1);
  assert.equal(refused.length, 5);
  assert.equal(refused[0]?.body.error.code, "state_conflict");
  const { text: other } = await givenKey({ environment: "live" });
  assert.equal((await send("POST", "/webhook-endpoints", json, other)).status, 201);
  await send("DELETE", `/webhook-endpoints/${first.id}`);
  assert.equal((await send("POST", "/webhook-endpoints", json)).status, 201);
});

test("lists are paged from the newest on, and a cursor is good for its own list alone", async (t) => {
  const { send, givenEndpoint } = await startWebhooks(t);
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await givenEndpoint()).id);

  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const { body } = await send("GET", `/webhook-endpoints?limit=2${query}`);
    assert.ok(body.data.length <= 2);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.pagination.next_cursor;
  }
  assert.deepEqual(seen, ids);

  const { body } = await send("GET", "/webhook-endpoints?limit=1");
  for (const bad of [
    `/webhook-endpoints/${ids[0]}/deliveries?cursor=${body.pagination.next_cursor}`,
    `/webhook-endpoints?cursor=${body.pagination.next_cursor}x`,
    "/webhook-endpoints?cursor=",
    "/webhook-endpoints?limit=0",
    "/webhook-endpoints?limit=101",
    "/webhook-endpoints?limit=2.5",
    "/webhook-endpoints?page=2",
  ]) {
    const refused = await send("GET", bad);
    assert.equal(refused.status, 400, bad);
    assert.equal(refused.body.error.code, "invalid_request");
  }
  assert.equal((await send("GET", "/webhook-endpoints?limit=100")).status, 200);
  assert.equal((await send("GET", "/webhook-endpoints?limit=1")).status, 200);
});

test("a change touches what it names, and nothing else", async (t) => {
  const { send, receiver, clock, givenEndpoint, endpoint } = await startWebhooks(t);
  const { id } = await givenEndpoint({ description: "before" });
  const before = await endpoint(id);
  clock.advance(1_000);

  for (const change of [
    { description: "after" },
    { description: null },
    { event_types: ["export.ready"] },
    { url: `${receiver.url}/elsewhere` },
    { status: "paused" },
    { status: "active" },
  ]) {
    const known = await endpoint(id);
    const { status, body } = await send("PATCH", `/webhook-endpoints/${id}`, change);
    assert.equal(status, 200);
    assert.deepEqual(body.data, { ...known, ...change, updated_at: clock.now().toISOString() });
  }
  assert.equal((await endpoint(id)).created_at, before.created_at);
});

test("every bound of a change holds on both sides", async (t) => {
  const { send, receiver, givenEndpoint } = await startWebhooks(t);
  const { id } = await givenEndpoint();

  for (const json of [
    { url: urlOf(receiver.port, 2048) },
    { description: "d".repeat(200) },
    { event_types: [...eventTypes] },
  ]) {
    assert.equal((await send("PATCH", `/webhook-endpoints/${id}`, json)).status, 200);
  }
  for (const json of [
    {},
    { url: urlOf(receiver.port, 2049) },
    { url: receiver.url.replace("https", "http") },
    { url: "https://10.0.0.1/" },
    { description: "" },
    { description: "d".repeat(201) },
    { description: "Or\0ders" },
    { description: 7 },
    { url: `${receiver.url}\n` },
    { event_types: [] },
    { event_types: ["webhook.test"] },
    { status: "disabled" },
    { status: "deleted" },
    { secret_version: 2 },
  ]) {
    const { status, body } = await send("PATCH", `/webhook-endpoints/${id}`, json);
    assert.equal(status, 400, JSON.stringify(json));
    assert.equal(body.error.code, "invalid_request");
  }
});

test("a deleted endpoint is gone for every operation", async (t) => {
  const { send, givenEndpoint } = await startWebhooks(t);
  const { id } = await givenEndpoint();

  const { status, body } = await send("DELETE", `/webhook-endpoints/${id}`);

  assert.equal(status, 200);
  assert.deepEqual(body.data, { id, deleted: true });
  for (const [method, path, json] of operations(id)) {
    assert.equal((await send(method, path, json)).status, 404, `${method} ${path}`);
  }
});

test("another organization's endpoint cannot be told from one that does not exist", async (t) => {
  const { send, givenKey, givenEndpoint } = await startWebhooks(t);
  const { id } = await givenEndpoint();
  const { text: stranger } = await givenKey({ environment: "live" });
  const said = (named: string, text: string) =>
    text
      .replaceAll(named.replace("whe_", "dlv_"), named)
      .replaceAll(named, "ID")
      .replaceAll(/req_\w+/g, "REQ");

  for (const unknown of [newId("whe"), "whe_x", "nonsense", id.replace("whe_", "job_")]) {
    for (const [index, [method, path, json]] of operations(id).entries()) {
      const [, unknownPath = ""] = operations(unknown)[index] ?? [];
      const theirs = await send(method, path, json, stranger);
      const nobodys = await send(method, unknownPath, json, stranger);

      assert.equal(theirs.status, 404, `${method} ${path}`);
      assert.equal(theirs.body.error.code, "not_found");
      assert.equal(said(id, theirs.text), said(unknown, nobodys.text));
    }
  }
  assert.equal((await send("GET", `/webhook-endpoints/${id}`)).status, 200);
});

test("webhooks are managed with a live key that has the scope", async (t) => {
  const { send, organizationId, givenKey, givenEndpoint } = await startWebhooks(t);
  const { id } = await givenEndpoint();
  const { text: testKey } = await givenKey({ organizationId, environment: "test" });
  const { text: unscoped } = await givenKey({ organizationId, environment: "live", scopes: ["scrapes:write"] });
  const create = ["POST", "/webhook-endpoints", {}] as const;
  const list = ["GET", "/webhook-endpoints", undefined] as const;

  for (const [method, path, json] of [create, list, ...operations(id)]) {
    const withTest = await send(method, path, json, testKey);
    assert.equal(withTest.status, 403);
    assert.equal(withTest.body.error.code, "live_key_required");
    const withoutScope = await send(method, path, json, unscoped);
    assert.equal(withoutScope.status, 403);
    assert.equal(withoutScope.body.error.code, "insufficient_scope");
    assert.deepEqual(withoutScope.body.error.details, ["scope: webhooks:manage is required"]);
  }
});

function operations(id: string): [string, string, unknown?][] {
  return [
    ["GET", `/webhook-endpoints/${id}`],
    ["PATCH", `/webhook-endpoints/${id}`, { description: "x" }],
    ["DELETE", `/webhook-endpoints/${id}`],
    ["POST", `/webhook-endpoints/${id}/rotate-secret`, { mode: "normal" }],
    ["POST", `/webhook-endpoints/${id}/test`],
    ["GET", `/webhook-endpoints/${id}/deliveries`],
    ["POST", `/webhook-deliveries/${id.replace("whe_", "dlv_")}/resend`],
  ];
}
