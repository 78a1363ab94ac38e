import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { fileDatabase } from "../../test/harness.ts";
import { silentLog } from "../platform/log.ts";
import { clientConfig, createDatabase } from "../platform/postgres/database.ts";
import { checkSessions, readOldestTransactionSeconds } from "./held-back.ts";

test("a session that waits in a transaction is named, with what ends it", async (t) => {
  const connection = await fileDatabase();
  const db = createDatabase({ connection, connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const forgetful = new pg.Client({ ...clientConfig(connection), application_name: "a forgetful script" });
  await forgetful.connect();
  t.after(() => forgetful.end());
  assert.equal(await readOldestTransactionSeconds(db), 0);

  await forgetful.query("begin");
  const { rows } = await forgetful.query<{ pid: number }>("select pg_backend_pid() as pid, txid_current()");

  const { state, says, fix } = await checkSessions(db, 0);
  const name = new RegExp(
    `^session ${rows[0]?.pid} of a forgetful script \\(.*\\) is idle in transaction for \\d+ seconds$`,
  );
  assert.equal(state, "warning");
  assert.match(says, name);
  assert.match(fix ?? "", /pg_terminate_backend/);
  assert.ok((await readOldestTransactionSeconds(db)) > 0);
  assert.equal((await checkSessions(db)).state, "ok", "who has just begun is not forgotten");
});
