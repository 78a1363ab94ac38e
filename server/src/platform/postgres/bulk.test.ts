import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { setImmediate as settled } from "node:timers/promises";
import { test } from "node:test";
import { fileDatabase } from "../../../test/harness.ts";
import { openBulkConnection } from "./bulk.ts";
import { lowerSession } from "./session-priority.ts";
import { sql } from "./sql.ts";

test("statements that come at once run in their order, and the driver has nothing to warn of", async (t) => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  t.after(() => process.removeListener("warning", note));
  const db = await openBulkConnection(await fileDatabase(), new AbortController().signal);
  t.after(() => db.end());

  const failing = assert.rejects(db.query(sql`select 1 / 0`), /division by zero/);
  const created = db.execute("create temporary table once (value integer)");
  const inserted = db.query(sql`insert into once values (1), (2)`);
  const copied = db.copy("once (value)", lines("3\n4\n"));
  const counted = db.query<{ count: number }>(sql`select count(*)::integer as count from once`);
  await Promise.all([failing, created, inserted, copied]);

  assert.deepEqual((await counted).rows, [{ count: 4 }]);
  await settled();
  assert.deepEqual(warnings, []);
});

async function* lines(text: string) {
  yield Buffer.from(text);
}

test("a session takes the lower priority of the process it works for, and no other process does", async (t) => {
  const db = await openBulkConnection(await fileDatabase(), new AbortController().signal);
  t.after(() => db.end());
  const { rows } = await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  const pid = rows[0]?.pid ?? 0;
  const own = getPriority();
  assert.equal(getPriority(pid), own);

  await lowerSession({ host: "/run", pid }, own + 3);
  await lowerSession({ host: "/run", pid }, own);
  await lowerSession({ host: "db.example", pid }, own + 5);
  await lowerSession({ host: "/run", pid: process.pid }, own + 3);

  assert.equal(getPriority(pid), own + 3);
  assert.equal(getPriority(), own);
  const group = await readFile(`/proc/${pid}/autogroup`, "utf8").catch(() => undefined);
  if (group !== undefined) assert.match(group, new RegExp(` nice ${own + 3}$`, "m"));
});
