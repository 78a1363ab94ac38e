import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestDatabase } from "../../../test/postgres.ts";
import { playedSource, startScrapes } from "../../../test/scrapes.ts";
import { aPlace } from "../../../test/place.ts";
import { uuidFromId } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";

test("a job that meets a changed schema is tried again later and loses no attempt", async (t) => {
  const database = await createTestDatabase();
  const { source, called } = playedSource();
  const api = await startScrapes(t, { source, connection: database.connection });
  t.after(() => database.drop());
  const { text: key } = await api.givenKey({ environment: "live" });
  api.givenWorker();
  const { id } = (await api.create(key)).body["data"];
  const attempts = async () => {
    const { rows } = await api.db.query<{ attempt: number; waits: boolean }>(sql`
      select attempt, run_at > now() and lease_until is null as waits
      from scrapes
      where id = ${uuidFromId("job", id)}
    `);
    return rows[0];
  };

  const first = await called(1);
  await api.db.query(sql`alter table business_keys rename column key to name`);
  first.answer.resolve([aPlace()]);
  while (!(await attempts())?.waits);
  assert.equal((await attempts())?.attempt, 0, "the attempt was returned");

  await api.db.query(sql`alter table business_keys rename column name to key`);
  await api.age(id, 60);
  (await called(2)).answer.resolve([aPlace()]);
  const job = await api.ended(key, id);

  assert.equal(job.status, "succeeded");
  assert.equal((await attempts())?.attempt, 1);
});
