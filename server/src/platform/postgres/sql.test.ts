import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "./sql.ts";

test("every value becomes a bound parameter", () => {
  const name = "'; drop table api_keys; --";

  const statement = sql`select id from api_keys where name = ${name} and revision > ${3}`;

  assert.equal(statement.text, "select id from api_keys where name = $1 and revision > $2");
  assert.deepEqual(statement.values, [name, 3]);
});

test("fragments keep their parameters, renumbered", () => {
  const columns = sql`id, name`;
  const guard = sql`status = ${"queued"} and attempt < ${7}`;

  const statement = sql`select ${columns} from t where tenant = ${"acme"} and ${guard} limit ${5}`;

  assert.equal(statement.text, "select id, name from t where tenant = $1 and status = $2 and attempt < $3 limit $4");
  assert.deepEqual(statement.values, ["acme", "queued", 7, 5]);
});

test("one text has one prepared name, whatever its values", () => {
  const ask = (id: number) => sql`select ${id}::int`;

  assert.equal(ask(1).name, ask(2).name);
  assert.notEqual(ask(1).name, sql`select ${1}::bigint`.name);
});

// An object that looks like a fragment may come from a request; only the tag makes one.
test("an object from outside is a value and never a fragment", () => {
  const outside = { text: "1; drop table t", values: [], name: "x" };

  assert.equal(sql`select ${outside}`.text, "select $1");
});
