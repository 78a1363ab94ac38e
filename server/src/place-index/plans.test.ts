import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { texts as nameTexts } from "./names.ts";
import { texts } from "./reads.ts";
import { givenFile, givenRow } from "./testing.ts";

test("every statement of a search goes by a key, and a list leads it", (t) => {
  // Of a few rows the planner reads all.
  const rows = Array.from({ length: 1_000 }, (_, at) =>
    givenRow(at, { nameWords: `cafe ${at}`, categories: ["amenity/cafe"] }),
  );
  const { path } = givenFile(t, rows);
  const db = new DatabaseSync(path, { readOnly: true });
  t.after(() => db.close());
  db.function("go_on", { deterministic: false, directOnly: true }, () => 1);
  const planOf = (text: string) =>
    db
      .prepare(`explain query plan ${text}`)
      .all()
      .map((row) => String(row["detail"]));
  const document = readFileSync(new URL("../../../docs/reference/place-index.md", import.meta.url), "utf8");

  for (const [name, text] of Object.entries({ ...texts, ...nameTexts })) {
    const variants = typeof text === "string" ? [text] : [{ lists: false }, { lists: true }].map(text);
    for (const variant of variants) {
      const [first = "", ...rest] = planOf(variant).filter((line) => !line.startsWith("USE TEMP B-TREE"));
      for (const line of [first, ...rest]) assert.match(line, /^SEARCH /, `${name}: ${line}`);
      for (const line of rest)
        assert.match(
          line,
          /(INTEGER PRIMARY KEY \(rowid=\?\)|PRIMARY KEY \(list=\? AND place=\?\))$/,
          `${name}: ${line}`,
        );
      assert.ok(document.includes(first), `docs/reference/place-index.md lacks the plan of ${name}: ${first}`);
    }
  }
});
