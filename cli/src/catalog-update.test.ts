import assert from "node:assert/strict";
import { test } from "node:test";
import { placesFile, type SamplePlace, startReleases } from "../../server/test/overture-releases.ts";
import { givenInstallation } from "./installation.ts";

const area = "47.0,9.4,47.3,9.7";
const box = [47, 9.4, 47.3, 9.7] as const;

test("a data set of a publisher is brought to the latest release, once, and what vanished is closed", async (t) => {
  const { run, env, list, file } = await givenInstallation(t);
  const older = { id: "2026-09-23.0", places: [{ content: await placesFile([places(1, 2, 3)]), box }] };
  const newer = { id: "2026-10-21.0", places: [{ content: await placesFile([places(2, 3, 4, 5)]), box }] };
  const server = await startReleases(t, [older, newer]);
  Object.assign(env, { WAYPOST_OVERTURE_URL: server.url });
  await run("catalog", "import", await file("own.csv", "name,lat,lon\nAdler,47.141,9.521\n"));
  await run("catalog", "add", "overture", "--area", area, "--release", older.id, "--name", "liechtenstein");

  server.fail((_, response) => response.writeHead(404).end() !== undefined);
  const failed = await run("catalog", "update", "--all");
  const asBefore = await list();
  server.fail(undefined);
  const updated = await run("catalog", "update", "liechtenstein", "--json");
  const requests = server.served.length;
  const again = await run("catalog", "update", "--all");

  assert.equal(failed.code, 1);
  assert.match(failed.out, /liechtenstein +failed +Overture's release 2026-10-21\.0 is not public/);
  assert.deepEqual(asBefore, [
    { name: "liechtenstein", places: 3 },
    { name: "own", places: 1 },
  ]);
  assert.equal(updated.code, 0, updated.error);
  const [{ name, state, imported }] = JSON.parse(updated.out).data_sets;
  assert.deepEqual([name, state], ["liechtenstein", "updated"]);
  assert.deepEqual([imported.release, imported.added, imported.unchanged, imported.closed], [newer.id, 2, 2, 1]);
  assert.match(again.out, /^NAME +STATE\s+liechtenstein +current\s*$/);
  assert.equal(server.served.length, requests, "a release that is imported already is not fetched");
});

test("what came from a file has no newer one that anybody knows", async (t) => {
  const { run, file } = await givenInstallation(t);
  await run("catalog", "import", await file("own.csv", "name,lat,lon\nAdler,47.141,9.521\n"));

  const named = await run("catalog", "update", "own");
  const unknown = await run("catalog", "update", "nothing");
  const all = await run("catalog", "update", "--all");

  assert.equal(named.code, 1);
  assert.match(named.error, /^The data set own came from .*own\.csv, and nobody knows a newer one: import the newer/);
  assert.equal(unknown.code, 4);
  assert.match(all.out, /No data set came from a publisher/);
  assert.equal((await run("catalog", "update")).code, 2);
  assert.equal((await run("catalog", "update", "own", "--all")).code, 2);
});

function places(...numbers: readonly number[]): SamplePlace[] {
  return numbers.map((number) => ({
    id: `place ${number}`,
    name: `Cafe ${number}`,
    latitude: 47.1 + number / 100,
    longitude: 9.5,
  }));
}
