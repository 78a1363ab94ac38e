import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { createFollowing } from "../../server/src/place-index/file/follow.ts";
import { openIndexFolder } from "../../server/src/place-index/file/folder.ts";
import { silentLog } from "../../server/src/platform/log.ts";
import { createDatabase } from "../../server/src/platform/postgres/database.ts";
import { givenInstallation } from "./installation.ts";

test("a question is explained: its reading, what its words may mean, the searches and what comes first", async (t) => {
  const { connection, env, run, file } = await givenInstallation(t);
  await run("catalog", "import", await file("own.csv", "name,lat,lon,category\nAmann,47.141,9.521,cafe\n"));
  const before = await run("catalog", "explain", "cafe near me", "--ll", "@47.141,9.521,14z");
  const db = createDatabase({ connection, connectionsMax: 2, log: silentLog });
  t.after(() => db.end());
  const folder = openIndexFolder(join(env.WAYPOST_DATA_DIR, "index"));
  const following = createFollowing({ folder, db, log: silentLog, report: () => undefined });
  await following.step(new AbortController().signal);
  following.close();

  const shown = await run("catalog", "explain", "cafe near me", "--ll", "@47.141,9.521,14z");
  const json = await run("catalog", "explain", "cafe", "flummery", "--json");
  const nothing = await run("catalog", "explain");

  assert.equal(before.code, 1);
  assert.match(before.error, /no place index yet/);
  assert.match(shown.out, /^Cafe around here\n/);
  assert.match(shown.out, /\ncafe +kind amenity\/cafe/);
  assert.match(shown.out, /\n1 +Amann +\d/);
  const explained = JSON.parse(json.out);
  assert.deepEqual(explained.tokens, ["cafe", "flummery"]);
  assert.match(explained.reading, /not understood: "flummery"/);
  assert.deepEqual(explained.first, []);
  assert.ok(explained.searches.length > 0 && explained.readings.length > 0);
  assert.equal(nothing.code, 2);
});
