import assert from "node:assert/strict";
import { test } from "node:test";
import { fileDatabase } from "../../../test/harness.ts";
import { silentLog } from "../log.ts";
import { asBinary } from "./binary-rows.ts";
import { createDatabase, isOutage } from "./database.ts";
import { sql } from "./sql.ts";

test("bytes arrive as they are stored, alone and in a transaction", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const columns = { position: "integer", version: "bigint", bucket: "smallint", bytes: "bytea" } as const;
  const select = (count: number) =>
    asBinary(
      sql`
        select position, position - ${2 ** 40}, null::smallint,
          decode(repeat('00ff0d0a5c78', position * 20000), 'hex')
        from generate_series(0, ${count} - 1) position
        where position = any(${[0, 1, 2, 3]}::integer[])
      `,
      columns,
    );
  const rowAt = (position: number) => ({
    position,
    version: position - 2 ** 40,
    bucket: null,
    bytes: new Uint8Array(Buffer.from("00ff0d0a5c78".repeat(position * 20_000), "hex")),
  });

  const alone = await db.query(select(4));
  assert.deepEqual(alone, { rows: [0, 1, 2, 3].map(rowAt), rowCount: 4 });
  const together = await db.transaction((tx) => tx.query(select(2)), { statementMs: 60_000 });
  assert.deepEqual(together.rows, [0, 1].map(rowAt));
  assert.deepEqual(await db.query(select(0)), { rows: [], rowCount: 0 });
});

test("a statement that fails on its way says why, and the connection goes on", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const columns = { value: "integer" } as const;

  const failing = db.query(asBinary(sql`select 1 / (2 - position) from generate_series(1, 3) position`, columns));
  await assert.rejects(failing, /division by zero/);
  const inTransaction = db.transaction((tx) => tx.query(asBinary(sql`select value from nowhere`, columns)));
  await assert.rejects(inTransaction, /nowhere/);
  // What was said to be a number of four bytes and is none.
  await assert.rejects(db.query(asBinary(sql`select 1::smallint`, columns)), RangeError);
  const ended = db.query(asBinary(sql`select pg_terminate_backend(pg_backend_pid())::integer`, columns));
  await assert.rejects(ended, isOutage);
  assert.deepEqual((await db.query(asBinary(sql`select 7`, columns))).rows, [{ value: 7 }]);
});

test("values that no statement can hold safely are refused", async (t) => {
  const db = createDatabase({ connection: await fileDatabase(), connectionsMax: 1, log: silentLog });
  t.after(() => db.end());
  const select = (value: unknown) => asBinary(sql`select ${value}::integer`, { value: "integer" });

  assert.throws(() => select(["a'b"]), /can be written/);
  assert.throws(() => select(1.5), /can be written/);
  await assert.rejects(db.query(select("1'; select 2; --")), /invalid input syntax/);
  assert.deepEqual((await db.query(select(3))).rows, [{ value: 3 }]);
});
