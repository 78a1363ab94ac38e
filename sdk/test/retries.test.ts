import assert from "node:assert/strict";
import { test } from "node:test";
import { isWaypostError, Waypost, WaypostError } from "@waypost/sdk";
import { apiKey, setUp } from "./scripted-client.ts";
import { type Answer, answer, disconnect, refuse, startScripted } from "./scripted-server.ts";

const found = answer({ total: 0, businesses: [] });
const job = answer({ id: "job_1", status: "queued" });

test("a retryable failure is repeated with the same Idempotency-Key and body, after longer and longer pauses", async (t) => {
  const away = refuse(503, "source_unavailable", true);
  const { waypost, seen, pauses } = await setUp(t, {}, away, away, disconnect, job);

  const created = await waypost.scrapes.create({ input: { q: "coffee" } });

  assert.equal(created.id, "job_1");
  assert.equal(seen.length, 4);
  const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]));
  assert.equal(keys.size, 1);
  assert.match([...keys][0] as string, /^[\u0021-\u007e]{16,128}$/);
  assert.equal(new Set(seen.map(({ body }) => body)).size, 1);
  for (const [index, most] of [500, 1_000, 2_000].entries()) {
    const pause = pauses[index] ?? 0;
    assert.ok(pause >= most / 2 && pause <= most, `pause ${index} took ${pause}`);
  }
});

test("two creations have two keys, and a key of one's own is sent as it is", async (t) => {
  const { waypost, seen } = await setUp(t, {}, job);

  await waypost.scrapes.create({ input: { q: "coffee" } });
  await waypost.scrapes.create({ input: { q: "coffee" } });
  await waypost.scrapes.create({ input: { q: "coffee" } }, { idempotencyKey: "mine-and-no-others" });

  const [first, second, third] = seen.map(({ headers }) => headers["idempotency-key"]);
  assert.notEqual(first, second);
  assert.equal(third, "mine-and-no-others");
  await assert.rejects(waypost.search({ q: "coffee" }, { idempotencyKey: "too short" }), /16 to 128/);
});

test("Retry-After decides the pause, in seconds and as a date", async (t) => {
  const inSeconds = refuse(429, "rate_limited", true, { "Retry-After": "7" });
  const asDate: Answer = (response, seen) =>
    refuse(429, "rate_limited", true, { "Retry-After": new Date(Date.now() + 20_000).toUTCString() })(response, seen);
  const { waypost, pauses } = await setUp(t, {}, inSeconds, asDate, found);

  await waypost.search({ q: "coffee" });

  assert.ok(pauses[0] !== undefined && pauses[0] >= 7_000 && pauses[0] <= 7_250, `${pauses[0]}`);
  assert.ok(pauses[1] !== undefined && pauses[1] >= 10_000 && pauses[1] <= 20_250, `${pauses[1]}`);
});

test("a Retry-After that is neither seconds nor a date decides nothing", async (t) => {
  const answers = ["-5", "1.5", "soon"].map((value) =>
    refuse(503, "temporarily_unavailable", true, { "Retry-After": value }),
  );
  const { waypost, pauses } = await setUp(t, {}, ...answers, found);

  await waypost.search({ q: "coffee" });

  for (const [index, least] of [250, 500, 1_000].entries()) assert.ok((pauses[index] ?? 0) >= least, pauses.join());
});

test("a timeout that no timer can hold is none", async (t) => {
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    const late: Answer = (response, seen) => setTimeout(() => found(response, seen), 50);
    const { waypost } = await setUp(t, { timeoutMs, maxRetries: 0 }, late);

    assert.equal((await waypost.search({ q: "coffee" })).total, 0);
  }
});

test("a service that asks for more than a minute is left to the caller", async (t) => {
  const { waypost, seen } = await setUp(t, {}, refuse(429, "rate_limited", true, { "Retry-After": "3600" }));

  await assert.rejects(waypost.search({ q: "coffee" }), { code: "rate_limited", retryAfterMs: 3_600_000 });
  assert.equal(seen.length, 1);
});

test("a failure that is not retryable is told at once, with everything the service said", async (t) => {
  const { waypost, seen } = await setUp(t, {}, refuse(400, "invalid_request", false));

  const error = await waypost.search({ q: "?" }).catch((thrown: unknown) => thrown);

  assert.ok(isWaypostError(error, "invalid_request"));
  const { code, status, message, details, retryable, requestId } = error;
  assert.deepEqual(
    { code, status, message, details, retryable, requestId },
    {
      code: "invalid_request",
      status: 400,
      message: "It is invalid_request.",
      details: ["/q: a rule"],
      retryable: false,
      requestId: "req_2",
    },
  );
  assert.equal(seen.length, 1);
});

test("retries end after maxRetries with the last failure", async (t) => {
  const { waypost, seen } = await setUp(t, { maxRetries: 2 }, refuse(500, "internal_error", true));

  await assert.rejects(waypost.scrapes.get("job_1"), { code: "internal_error" });
  await assert.rejects(waypost.scrapes.get("job_1", { maxRetries: 0 }), { code: "internal_error" });

  assert.equal(seen.length, 4);
});

const running = refuse(409, "idempotency_in_progress", true, { "Retry-After": "10" });

test("a call whose twin still runs goes on for as long as its timeout, and its retries are left for failures", async (t) => {
  const away = refuse(503, "temporarily_unavailable", true, { "Retry-After": "1" });
  const { waypost, seen } = await setUp(t, { maxRetries: 1 }, ...Array(5).fill(running), away, found);

  assert.equal((await waypost.search({ q: "coffee" })).total, 0);

  assert.equal(seen.length, 7);
});

test("a twin that runs for longer than the timeout is left to the caller, and one without retries at once", async (t) => {
  const { waypost, seen, pauses } = await setUp(t, {}, running);

  await assert.rejects(waypost.search({ q: "coffee" }, { timeoutMs: 25_000 }), { code: "idempotency_in_progress" });
  assert.equal(pauses.length, 2);
  await assert.rejects(waypost.search({ q: "coffee" }, { maxRetries: 0 }), { code: "idempotency_in_progress" });

  assert.equal(seen.length, 4);
});

test("what has no Idempotency-Key and changes something is never sent twice", async (t) => {
  const { waypost, seen } = await setUp(t, {}, disconnect);
  const calls = [
    () => waypost.webhooks.create({ url: "https://example.com", event_types: ["scrape.failed"] }),
    () => waypost.webhooks.update("whe_1", { status: "paused" }),
    () => waypost.webhooks.rotateSecret("whe_1"),
    () => waypost.webhooks.sendTest("whe_1"),
    () => waypost.webhooks.resend("dlv_1"),
  ];

  for (const [index, call] of calls.entries()) {
    await assert.rejects(call(), { code: "connection_failed" });
    assert.equal(seen.length, index + 1);
  }
});

test("an attempt that takes too long is given up and repeated", async (t) => {
  const never: Answer = () => undefined;
  const halfway: Answer = (response) => void response.writeHead(200).write('{"data":');
  const { waypost, seen } = await setUp(t, { timeoutMs: 200, maxRetries: 1 }, never, halfway);

  await assert.rejects(waypost.search({ q: "coffee" }), { code: "request_timed_out", retryable: true });

  assert.equal(seen.length, 2);
});

test("an aborted signal ends a call with its own reason, in the middle of an attempt and between two", async (t) => {
  const reason = new Error("changed my mind");
  const controller = new AbortController();
  const { waypost } = await setUp(t, { maxRetries: 0 }, () => controller.abort(reason));

  await assert.rejects(waypost.search({ q: "coffee" }, { signal: controller.signal }), reason);

  const later = new AbortController();
  const { baseUrl } = await startScripted(t, (response, seen) => {
    refuse(429, "rate_limited", true, { "Retry-After": "30" })(response, seen);
    setImmediate(() => later.abort(reason));
  });
  const patient = new Waypost({ apiKey, baseUrl });
  await assert.rejects(patient.search({ q: "coffee" }, { signal: later.signal }), reason);
});

test("a redirect is not followed, so that the key stays with the service it is for", async (t) => {
  const other = await startScripted(t, found);
  const { waypost, seen } = await setUp(t, {}, (response) =>
    response.writeHead(307, { Location: `${other.baseUrl}/api/v1/search` }).end(),
  );

  await assert.rejects(waypost.search({ q: "coffee" }), { code: "unexpected_answer", status: 307 });

  assert.equal(seen.length, 1);
  assert.equal(other.seen.length, 0);
});

test("a page of a proxy is told apart from an answer of the service, and repeated when it may pass", async (t) => {
  const proxyPage: Answer = (response) => response.writeHead(502).end("<html>Bad gateway</html>");
  const { waypost, seen } = await setUp(t, {}, proxyPage, found);
  const portal = await setUp(t, {}, (response) => response.writeHead(200).end("<html>Sign in</html>"));

  await waypost.search({ q: "coffee" });
  const error = await portal.waypost.search({ q: "coffee" }).catch((thrown: unknown) => thrown);

  assert.equal(seen.length, 2);
  assert.ok(error instanceof WaypostError && error.code === "unexpected_answer" && !error.retryable);
});

test("the key goes into one header, and into no error", async (t) => {
  const { waypost, seen } = await setUp(t, { maxRetries: 0 }, disconnect);

  const error = (await waypost.search({ q: "coffee" }).catch((thrown: unknown) => thrown)) as Error;

  assert.equal(seen[0]?.headers.authorization, `Bearer ${apiKey}`);
  assert.ok(!JSON.stringify(error).includes(apiKey) && !String(error.stack).includes(apiKey));
  for (const bad of ["", "two words", "svc_live_x\n"]) {
    assert.throws(
      () => new Waypost({ apiKey: bad, baseUrl: "http://127.0.0.1:1" }),
      ({ message }: Error) => !bad || !message.includes(bad),
    );
  }
});

test("the address is taken with and without /api/v1, under a path too, and refused when it is none", async (t) => {
  const { baseUrl, seen } = await startScripted(t, found);
  for (const given of [baseUrl, `${baseUrl}/`, `${baseUrl}/api/v1`, `${baseUrl}/api/v1/`, `${baseUrl}/waypost`]) {
    await new Waypost({ apiKey, baseUrl: given }).search({ q: "coffee" });
  }

  assert.deepEqual(
    seen.map(({ url }) => url),
    [...Array.from({ length: 4 }, () => "/api/v1/search"), "/waypost/api/v1/search"],
  );
  for (const bad of ["nonsense", "ftp://example.com", "http://user:word@example.com", "http://example.com?x=1"]) {
    assert.throws(() => new Waypost({ apiKey, baseUrl: bad }), TypeError, bad);
  }
});

test("an id that is none never reaches another route", async (t) => {
  const { waypost, seen } = await setUp(t, {}, found);

  for (const bad of ["", "..", "a/b", "job_1?x", "job 1"]) {
    await assert.rejects(waypost.scrapes.get(bad), /is not an id/);
    await assert.rejects(waypost.webhooks.remove(bad), /is not an id/);
  }
  assert.equal(seen.length, 0);
});

test("an error as text names its code and the request", async (t) => {
  const { waypost } = await setUp(t, {}, refuse(404, "not_found", false));

  const error = await waypost.scrapes.get("job_1").catch((each: unknown) => each);

  assert.equal(String(error), "WaypostError: It is not_found. (not_found, request req_2)");
});

test("every answer's facts reach onResponse", async (t) => {
  const headers = { "X-Request-Id": "req_9", "X-SVC-Units-Charged": "0", "X-SVC-Units-Remaining": "41" };
  const reading = { "X-SVC-Query-Reading": '%"called %22caf%c3%a9%22"' };
  const heard: object[] = [];
  const { waypost } = await setUp(
    t,
    { onResponse: (facts) => heard.push(facts) },
    answer({ businesses: [] }, { ...headers, ...reading, "Idempotent-Replayed": "true" }),
  );

  await waypost.search({ q: "coffee" });

  assert.deepEqual(heard, [
    {
      method: "POST",
      path: "/search",
      status: 200,
      requestId: "req_9",
      unitsCharged: 0,
      unitsRemaining: 41,
      queryReading: 'called "café"',
      replayed: true,
    },
  ]);
});

test("a bound that no timer could keep is refused before anything is sent", async (t) => {
  const { waypost, seen } = await setUp(t, {}, found);

  for (const timeoutMs of [0, -1, Number.NaN]) {
    assert.throws(() => new Waypost({ apiKey, timeoutMs }), TypeError);
    await assert.rejects(waypost.search({ q: "coffee" }, { timeoutMs }), /^TypeError: timeoutMs must be/);
  }
  for (const most of [-1, Number.NaN]) {
    assert.throws(() => new Waypost({ apiKey, maxRetries: most }), TypeError);
    await assert.rejects(waypost.search({ q: "coffee" }, { maxRetries: most }), /^TypeError: maxRetries must be/);
    await assert.rejects(waypost.scrapes.wait("job_1", { waitMs: most }), /^TypeError: waitMs must be/);
  }
  assert.equal(seen.length, 0);
});
