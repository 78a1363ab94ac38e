import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { aPlace } from "../../../test/place.ts";
import { startScrapes } from "../../../test/scrapes.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Source } from "../../sources/source.ts";

/** The catalog has data of what is near; live services, which allow two at once, answer the rest when they may. */
function twoSources() {
  const open = Promise.withResolvers<void>();
  const told = { nearOnly: true, running: 0, most: 0, questions: [] as string[], open: () => open.resolve() };
  const catalog: Source = {
    name: "catalog",
    isLocal: true,
    jobsMax: 64,
    hasDataFor: async ({ q }) => !told.nearOnly || q.startsWith("near"),
    search: async () => ({ listings: [aPlace()], verdict: "ok" }),
  };
  const osm: Source = {
    name: "osm",
    isLocal: false,
    jobsMax: 2,
    async search({ q, page }) {
      told.questions.push(q);
      told.running += 1;
      told.most = Math.max(told.most, told.running);
      await open.promise;
      told.running -= 1;
      return page > 1 ? { listings: [], verdict: "empty" } : { listings: [aPlace()], verdict: "ok" };
    },
  };
  return { told, sources: { catalog, osm } };
}

test("of jobs for live services as many run at once as those allow, and none keeps the catalog's waiting", async (t) => {
  const { told, sources } = twoSources();
  const api = await startScrapes(t, { sources });
  const { text: key } = await api.givenKey({ environment: "live" });
  const create = async (q: string) => (await api.create(key, { q })).body["data"].id as string;
  const far = await Promise.all(Array.from({ length: 12 }, (_, at) => create(`far ${at}`)));
  const near = await Promise.all(Array.from({ length: 6 }, (_, at) => create(`near ${at}`)));
  api.givenWorker();

  for (const id of near) assert.equal((await api.ended(key, id)).status, "succeeded");
  assert.ok(told.most <= 2, `${told.most} at once`);
  const waiting = (await Promise.all(far.map((id) => api.read(key, id)))).map(({ body }) => body["data"].status);
  assert.ok(waiting.filter((status) => status === "queued").length >= 10, waiting.join());

  told.open();
  for (const id of far) assert.equal((await api.ended(key, id)).status, "succeeded");
  assert.equal(told.most, 2);
});

test("a job whose area left the catalog after its creation runs among those of live services", async (t) => {
  const { told, sources } = twoSources();
  told.nearOnly = false;
  const api = await startScrapes(t, { sources });
  const { text: key } = await api.givenKey({ environment: "live" });
  const ids = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => (await api.create(key, { q: `far ${at}` })).body["data"].id as string),
  );
  told.nearOnly = true;
  told.open();
  api.givenWorker();

  for (const id of ids) assert.equal((await api.ended(key, id)).status, "succeeded");

  assert.equal(told.questions.length, 8);
  assert.ok(told.most <= 2, `${told.most} at once`);
  const { rows } = await api.db.query(sql`select distinct attempt from scrapes`);
  assert.deepEqual(rows, [{ attempt: 1 }]);
});

test("cells for live services run one at a time, beside those of the catalog", async (t) => {
  const { told, sources } = twoSources();
  const api = await startCollections(t, { sources });
  const { text: key } = await api.givenKey({ environment: "live" });
  const collect = async (q: string) =>
    (await api.collect(key, { q, area: { bbox: [47, 9, 47.1, 9.1] } })).body["data"].id;
  const far = await Promise.all(Array.from({ length: 4 }, (_, at) => collect(`far ${at}`)));
  const near = await collect("near");
  api.givenWorker();

  await api.untilCollection(key, near, ({ status }) => !["queued", "running"].includes(status));
  assert.ok(told.most <= 1, `${told.most} at once`);

  told.open();
  for (const id of far) assert.equal((await api.collected(key, id)).status, "succeeded");
  assert.equal(told.most, 1);
});
