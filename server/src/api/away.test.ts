import assert from "node:assert/strict";
import { test } from "node:test";
import { fileDatabase, startApi } from "../../test/harness.ts";
import { doorTo, until } from "../../test/database-door.ts";
import { startOwnTime } from "../../test/own-time.ts";
import { scriptedSource } from "../../test/scripted-source.ts";
import { newId, newUuid } from "../platform/ids.ts";
import { sql } from "../platform/postgres/sql.ts";

const idOf: Record<string, Parameters<typeof newId>[0]> = {
  endpoint: "whe",
  delivery: "dlv",
  export: "exp",
  collection: "col",
  job: "job",
};

/** A body that each route accepts, so that the request comes as far as the database. */
function bodyOf(url: string): unknown {
  if (url.endsWith("/search")) return { q: "coffee in Vaduz" };
  if (url.endsWith("/scrapes")) return { operation: "places.search", input: { q: "coffee in Vaduz" } };
  if (url.endsWith("/collections")) return { q: "coffee", area: { bbox: [47.0, 9.4, 47.2, 9.6] }, max_units: 5 };
  if (url.endsWith("/exports")) return { job_id: newId("job"), format: "csv" };
  if (url.endsWith("/webhook-endpoints")) return { url: "https://93.184.216.34/", event_types: ["scrape.completed"] };
  if (url.endsWith("/rotate-secret")) return { mode: "normal" };
  if (url.endsWith("/webhook-endpoints/:endpointId")) return { description: "ours" };
  return undefined;
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
    assert.match(body["error"].message, /nothing was done/);
    assert.equal(body["error"].retryable, true);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
  }
});

// The timed promise, in time that the process gets: a database that hangs is noticed within five seconds, wherever a request waits for it.
test("a database that hangs after the key was read is answered for within five seconds on every route", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through, source: scriptedSource().source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const ownTime = startOwnTime(t);
  // An estimate needs the database for its key alone, and that is in memory.
  const others = /\/(events\/stream|collections\/estimate)$/;
  const routes = api.routes.filter(({ config, method, url }) => config?.need && method !== "HEAD" && !others.test(url));
  const callAll = () =>
    routes.map(async ({ method, url }) => {
      const startedAt = ownTime.seconds();
      const json = method === "POST" || method === "PATCH" ? bodyOf(url) : undefined;
      const path = url.replace(/:(endpoint|delivery|export|collection|job)Id/, (_, noun: string) =>
        newId(idOf[noun] ?? "job"),
      );
      const headers = { "Idempotency-Key": newUuid() };
      const answer = await api.call(path, { method, key, headers, ...(json ? { json } : {}) });
      return { ...answer, route: `${method} ${url}`, seconds: ownTime.seconds() - startedAt };
    });
  // From here on the key is in memory, since the clock stands still, and every route has compiled what it checks with.
  await Promise.all(callAll());
  door.jam();

  const answers = await Promise.all(callAll());

  assert.ok(answers.length > 15, `${answers.length} routes were called`);
  const otherwise = answers.filter(({ body }) => body["error"]?.code !== "temporarily_unavailable");
  assert.deepEqual(
    otherwise.map(({ route, text }) => `${route}: ${text}`),
    [],
  );
  for (const { route, status, headers, seconds } of answers) {
    assert.equal(status, 503, route);
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.ok(seconds < 5, `${route} took ${seconds} s`);
  }
  door.shut();
});

test("a slow statement is no database that hangs", async (t) => {
  const api = await startApi(t);

  const { rows } = await api.db.query<{ done: boolean }>(sql`select true as done from pg_sleep(2)`);

  assert.deepEqual(rows, [{ done: true }]);
});

test("when a database that hung answers again, so does the service", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through });
  const { text: key } = await api.givenKey();
  door.jam();
  api.clock.advance(1_000);
  assert.equal((await api.searchAs(key, { q: "coffee" })).status, 503);
  await until(() => api.db.pool().isStalled);

  door.open();

  await until(async () => (await api.searchAs(key, { q: "coffee" })).status === 200);
  assert.equal(api.db.pool().isStalled, false);
});

test("a database that hangs is answered for within five seconds while keys are read", async (t) => {
  const door = await doorTo(t, await fileDatabase());
  const api = await startApi(t, { connection: door.through });
  const { text: key } = await api.givenKey();
  door.jam();
  api.clock.advance(1_000);

  const ownTime = startOwnTime(t);
  const { status, body } = await api.searchAs(key, { q: "coffee" });

  assert.equal(status, 503);
  assert.equal(body["error"].code, "temporarily_unavailable");
  assert.ok(ownTime.seconds() < 5, `${ownTime.seconds()} s`);
  door.shut();
});
