import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import {
  divisionsFile,
  placesFile,
  type SamplePlace,
  type SampleRelease,
  startReleases,
} from "../../server/test/overture-releases.ts";
import { openBulkConnection } from "../../server/src/platform/postgres/bulk.ts";
import { sql } from "../../server/src/platform/postgres/sql.ts";
import { givenInstallation } from "./installation.ts";

const groupsPerFile = 8;
const rowsPerGroup = 120;

test("an area costs the row groups that touch it, and brings its divisions", async (t) => {
  const { server, run, names, release } = await givenRelease(t);

  const dry = await run("catalog", "add", "overture", "--area", "Vaduz", "--dry-run", "--json");
  const before = server.served.length;
  const added = await run("catalog", "add", "overture", "--area", "Vaduz", "--json");

  const view = JSON.parse(added.out);
  const asked = server.served.slice(before).filter(({ path }) => path.includes("type=place"));
  const directories = asked.filter(({ path, from, bytes }) => from + bytes === server.files.get(path)?.length);
  const data = asked.filter((each) => !directories.includes(each));
  const touching = release.places[0]?.groupBytes.slice(2, 5).reduce((sum, bytes) => sum + bytes, 0) ?? 0;
  assert.deepEqual([view.release, view.area, view.row_groups], ["2026-10-21.0", "the locality of the release", 3]);
  assert.deepEqual(
    [JSON.parse(dry.out).places, JSON.parse(dry.out).row_groups, JSON.parse(dry.out).megabytes],
    [3 * rowsPerGroup, 3, view.megabytes],
  );
  assert.deepEqual(view.name, "overture-vaduz");
  assert.ok(data.reduce((sum, { bytes }) => sum + bytes, 0) <= 1.1 * touching);
  assert.equal(data.length, 2, "the first row group alone, and then those beside it together");
  assert.equal(directories.length, 2, "of the one file that touches: how long its directory is, and the directory");
  // The outline of the town is 47.1 to 47.18; every place outside of it is left out.
  const expected = release.rows.filter(({ latitude, longitude }) => isInVaduz(latitude, longitude));
  assert.deepEqual(await names(), expected.map(({ name }) => name).toSorted());
  assert.equal(view.areas, 1);
});

test("a country, a box and a town without a division are areas too, and the command says which", async (t) => {
  const { run } = await givenRelease(t);
  const dry = async (area: string) => {
    const { out, error } = await run("catalog", "add", "overture", `--area=${area}`, "--dry-run", "--json");
    return out === "" ? error : JSON.parse(out).area;
  };

  assert.equal(await dry("LI"), "the country of the release");
  assert.equal(await dry("Liechtenstein"), "the country of the release");
  assert.equal(await dry("47.05,9.4,47.2,9.6"), "the box that you gave");
  assert.match(await dry("Schaan"), /^2 km around Schaan \(LI\) of the world's list$/);
  assert.match(await dry("Sydney"), /^30 km around Sydney \(AU\) of the world's list$/);
  assert.match(await dry("Flummery"), /There is no area .{2}Flummery.{2} in the lists; write .*Nothing was changed\./);
  assert.match(await dry("47.2,9.4,47.1,9.6"), /is no box; write south,west,north,east in degrees/);
});

test("places that Overture is less sure of are left out, and a release that is not public is named", async (t) => {
  const { run, names } = await givenRelease(t);

  await run("catalog", "add", "overture", "--area", "47.0,9.4,47.05,9.7", "--name", "sure", "--min-confidence", ".5");
  const gone = await run("catalog", "add", "overture", "--area", "Vaduz", "--release", "2026-01-21.0");

  assert.ok((await names()).length > 0);
  assert.ok((await names()).every((name) => !name.endsWith("unsure")));
  assert.match(gone.error, /release 2026-01-21\.0 is not public, or no longer.*There are 2026-10-21\.0;/);
});

test("a server that is busy or resets is asked again, and is not asked for what came before", async (t) => {
  const { server, run, names } = await givenRelease(t);
  server.fail((request, response, count) => {
    if (count % 4 === 1) response.writeHead(503, { "Retry-After": "0" }).end();
    else if (count % 4 === 3) request.socket.destroy();
    return count % 2 === 1;
  });

  const added = await run("catalog", "add", "overture", "--area", "47.0,9.4,47.2,9.7", "--json");

  assert.equal(added.code, 0, added.error);
  assert.equal((await names()).length, JSON.parse(added.out).places);
  const answered = server.served.map(({ path, from, bytes }) => `${path} ${from} ${bytes}`);
  assert.equal(new Set(answered).size, answered.length);
});

test("a release that disappears, and a file that changes, change nothing", async (t) => {
  const { server, run, names } = await givenRelease(t);
  const add = () => run("catalog", "add", "overture", "--area", "47.0,9.4,47.3,9.7");
  // The first two requests for a file are for its directory.
  server.fail((_, response, count) => {
    if (count <= 2) return false;
    response.writeHead(404).end();
    return true;
  });
  const gone = await add();
  const path = [...server.files.keys()].find((each) => each.includes("type=place/part-00000")) ?? "";
  const first = server.files.get(path) ?? Buffer.alloc(0);
  server.fail((request) => {
    const isData = request.headers.range?.startsWith("bytes=4-");
    if (isData) server.files.set(path, Buffer.from(first).fill(7, 100, 200));
    return false;
  });
  const changed = await add();

  assert.match(gone.error, /release 2026-10-21\.0 is not public, or no longer: .*Nothing was changed\.\n$/);
  assert.match(changed.error, /it changed while it was read; try again\. Nothing was changed\.\n$/);
  assert.deepEqual(await names(), []);
});

test("an import that is interrupted goes on without what it has", async (t) => {
  const { server, run, start, env, names } = await givenRelease(t);
  const words = ["catalog", "add", "overture", "--area", "47.0,9.4,47.3,9.7"] as const;
  const stuck = Promise.withResolvers<void>();
  server.fail((request) => {
    // Behind the first row group, and before the directory that is read before it.
    const [, from = "0"] = /^bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    const isLater = Number(from) > 4 && server.served.some((each) => each.from === 4 && each.path.includes("place/"));
    if (isLater) stuck.resolve();
    return isLater;
  });
  const child = start(...words);
  const ended = once(child, "exit");
  await stuck.promise;
  child.kill("SIGINT");
  await ended;
  const kept = await readdir(join(env.WAYPOST_DATA_DIR, "downloads"));
  server.fail(undefined);
  const before = server.served.length;
  const again = await run(...words);
  const data = server.served.slice(before).filter(({ path, from }) => path.includes("type=place") && from === 4);

  assert.equal(kept.length, 1);
  assert.equal(again.code, 0, again.error);
  assert.deepEqual(data, [], "the first row group has come before");
  assert.ok((await names()).length > 0);
  assert.deepEqual(await readdir(join(env.WAYPOST_DATA_DIR, "downloads")), []);
});

function isInVaduz(latitude: number, longitude: number): boolean {
  return latitude >= 47.1 && latitude <= 47.18 && longitude >= 9.48 && longitude <= 9.6;
}

/** Three files: two beside each other with a band of latitude in each row group, one on the other side of the earth. */
async function givenRelease(t: TestContext) {
  const installation = await givenInstallation(t);
  const files = [fileRows(47, 9.4), fileRows(48, 9.4), fileRows(-34, 151)];
  const contents = await Promise.all(files.map((groups) => placesFile(groups)));
  const groupBytes = await Promise.all(files.map((groups) => Promise.all(groups.map((each) => sizeOf(each)))));
  const places = [
    { content: contents[0] ?? Buffer.alloc(0), box: [47, 9.4, 47.32, 9.7] as const, groupBytes: groupBytes[0] ?? [] },
    { content: contents[1] ?? Buffer.alloc(0), box: [48, 9.4, 48.32, 9.7] as const, groupBytes: groupBytes[1] ?? [] },
    {
      content: contents[2] ?? Buffer.alloc(0),
      box: [-34, 151, -33.6, 151.3] as const,
      groupBytes: groupBytes[2] ?? [],
    },
  ];
  const content = await divisionsFile([
    { id: "d-li", name: "Liechtenstein", subtype: "country", country: "LI", box: [47.04, 9.47, 47.28, 9.64] },
    { id: "d-vaduz", name: "Vaduz", subtype: "locality", country: "LI", box: [47.1, 9.48, 47.18, 9.6] },
    { id: "d-far", name: "Vaduz", subtype: "county", country: "LI", box: [47.2, 9.48, 47.22, 9.6] },
  ]);
  const release = { id: "2026-10-21.0", places, divisions: [{ content, box: [47.04, 9.47, 47.28, 9.64] as const }] };
  const server = await startReleases(t, [release satisfies SampleRelease]);
  Object.assign(installation.env, { WAYPOST_OVERTURE_URL: server.url });
  const db = await openBulkConnection(installation.connection, new AbortController().signal);
  t.after(() => db.end());
  async function names(): Promise<string[]> {
    const { rows } = await db.query<{ name: string }>(sql`select record::json ->> 'name' as name from catalog_records`);
    return rows.map(({ name }) => name).toSorted();
  }
  return { ...installation, server, names, release: { ...release, rows: files.flat(2) } };
}

function fileRows(south: number, west: number): SamplePlace[][] {
  return Array.from({ length: groupsPerFile }, (_, group) =>
    Array.from({ length: rowsPerGroup }, (__, row) => ({
      id: `${south} ${group} ${row}`,
      name: `Cafe ${south} ${group} ${row}${row % 5 === 0 ? " unsure" : ""}`,
      latitude: south + group * 0.04 + ((row + 0.5) / rowsPerGroup) * 0.04,
      longitude: west + ((row % 10) + 0.5) * 0.03,
      confidence: row % 5 === 0 ? 0.3 : 0.9,
    })),
  );
}

/** What a row group takes in its file: a file of it alone, without what stands around it. */
async function sizeOf(places: readonly SamplePlace[]): Promise<number> {
  const content = await placesFile([places]);
  return content.length - content.readUInt32LE(content.length - 8) - 12;
}
