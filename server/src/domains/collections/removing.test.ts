import assert from "node:assert/strict";
import { test } from "node:test";
import { startCollections } from "../../../test/collections.ts";
import { steadySource } from "../../../test/scrapes.ts";
import { uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { sweepRemovedCollections } from "./index.ts";

const remainsOf = (uuid: string | undefined) => sql`
  select (select count(*) from collection_results where collection_id = ${uuid})
    + (select count(*) from collection_cells where collection_id = ${uuid})
    + (select count(*) from removed_collections where id = ${uuid}) as count
`;

test("a deleted collection is gone everywhere at once, with its records and the exports that hold them", async (t) => {
  const api = await startCollections(t);
  const { text: key } = await api.givenKey();
  const { id } = (await api.collect(key)).body["data"];
  const exported = (await api.createExport(key, { collection_id: id, format: "json" })).body["data"];

  const { status, body } = await api.call(`/api/v1/collections/${id}`, { key, method: "DELETE" });

  assert.equal(status, 200);
  assert.deepEqual(body["data"], { id, deleted: true });
  const gone = [
    await api.readCollection(key, id),
    await api.call(`/api/v1/collections/${id}/results`, { key }),
    await api.call(`/api/v1/collections/${id}/coverage`, { key }),
    await api.control(key, id, "cancel"),
    await api.call(`/api/v1/collections/${id}`, { key, method: "DELETE" }),
    await api.readExport(key, exported.id),
  ];
  assert.deepEqual(
    gone.map((answer) => answer.status),
    gone.map(() => 404),
  );
  assert.deepEqual((await api.call("/api/v1/collections", { key })).body["data"], []);
  assert.deepEqual(await api.storedKeys(), []);
  const { rows } = await api.db.query<{ count: number }>(remainsOf(uuidFromId("col", id)));
  assert.equal(rows[0]?.count, 0);
});

test("a collection that has not ended is canceled before it is deleted, and its event is written", async (t) => {
  const api = await startCollections(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.collect(key)).body["data"];

  const { status } = await api.call(`/api/v1/collections/${id}`, { key, method: "DELETE" });

  assert.equal(status, 200);
  assert.equal((await api.readCollection(key, id)).status, 404);
  assert.deepEqual(
    (await api.collectionEvents(id)).map(({ type, data }) => [type, data.status]),
    [["scrape.canceled", "canceled"]],
  );
});

test("what a large collection leaves behind goes in batches", async (t) => {
  const api = await startCollections(t, { source: steadySource() });
  const { text: key } = await api.givenKey({ environment: "live" });
  const { id } = (await api.collect(key)).body["data"];
  const uuid = uuidFromId("col", id);
  await api.db.query(sql`
    insert into collection_results (collection_id, position, business_id, revision, record)
    select ${uuid}::uuid, position, gen_random_uuid(), 1, '{}'
    from generate_series(1, 12000) as position
  `);

  await api.call(`/api/v1/collections/${id}`, { key, method: "DELETE" });

  const left = async () => (await api.db.query<{ count: number }>(remainsOf(uuid))).rows[0]?.count;
  assert.ok(((await left()) ?? 0) > 0, "the caller waited for one batch only");
  while ((await sweepRemovedCollections(api.db)) > 0);
  assert.equal(await left(), 0);
});
