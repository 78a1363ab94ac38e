import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { answer, startScripted } from "../../sdk/test/scripted-server.ts";
import { startApi } from "../../server/test/harness.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { scriptedSource } from "../../server/test/scripted-source.ts";
import { startWaypost, waypost } from "./waypost.ts";

test("collect follows a collection, reports its coverage, draws it and exports it", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const [csv, map] = [join(folder, "out.csv"), join(folder, "map.svg")];
  const environment = { WAYPOST_URL: api.address, WAYPOST_API_KEY: key };
  const words = ["collect", "dentists", "--area", "Vaduz", "--max-units", "50"];

  const files = ["--format", "csv", "--output", csv, "--map", map];
  const { code, out, error } = await waypost([...words, ...files], environment);

  assert.equal(code, 0, error);
  assert.match(out, /succeeded/);
  assert.match(out, /Coverage: .*4 done/);
  assert.match(error, /cells {2}.*pages {2}.*businesses {2}0 of 50 units/);
  assert.match(await readFile(map, "utf8"), /^<svg .*<rect /s);
  const listed = JSON.parse((await waypost(["collections", "list", "--json"], environment)).out);
  const [{ id, progress }] = listed.collections;
  assert.ok((await readFile(csv, "utf8")).split("\n").length > progress.businesses);
  const refused = await waypost(["collections", "pause", id], environment);
  assert.notEqual(refused.code, 0);
  assert.match(refused.error, /is succeeded and cannot be paused/);
});

test("an estimate says what collecting would take, and needs no ceiling", async (t) => {
  const estimate = { units: 21, businesses: 287, is_complete: true, bounds: [], source: "catalog", source_as_of: null };
  const ended = { ...estimate, is_complete: false, source_as_of: "2026-11-01T00:00:00.000Z" };
  const unknown = { ...estimate, units: null, businesses: null };
  const { baseUrl, seen } = await startScripted(t, ...[estimate, ended, unknown].map((each) => answer(each)));
  const environment = { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" };
  const words = ["collections", "estimate", "dentists", "--area", "Vaduz"];

  const outputs = [];
  for (const options of [[], [], ["--json"]]) outputs.push((await waypost([...words, ...options], environment)).out);

  assert.match(outputs[0] ?? "", /units +21\nbusinesses +287\nsource +catalog\n/);
  assert.match(outputs[1] ?? "", /units +at least 21\n.*\nsource +catalog, as of 2026-11-01T00:00:00.000Z\n/);
  assert.deepEqual(JSON.parse(outputs[2] ?? ""), unknown);
  const [{ url, body } = { url: "", body: "" }] = seen;
  assert.equal(url, "/api/v1/collections/estimate");
  assert.deepEqual(JSON.parse(body), { q: "dentists", area: { place: "Vaduz" } });
});

test("the states of the coverage come in the same order, whatever that of the cells", async (t) => {
  const progress = { cells_done: 2, cells_total: 4, pages: 2, businesses: 3, units_charged: 2 };
  const id = "col_01m7r7v12ge8xsp4m18z86c5n8";
  const times = { created_at: "2026-11-18T00:00:00.000Z" };
  const collection = { id, q: "dentists", status: "succeeded", progress, max_units: 9, ...times };
  const features = ["split", "left_out", "done", "left_out"].map((state) => ({ properties: { state } }));
  const { baseUrl } = await startScripted(t, answer(collection), answer({ features, next_cursor: null }));

  const { out } = await waypost(["collections", "follow", id], {
    WAYPOST_URL: baseUrl,
    WAYPOST_API_KEY: "svc_test_x",
  });

  assert.match(out, /^Coverage: 1 done, 2 left_out, 1 split$/m);
});

test("an ended collection has no time left, whatever its ceiling left out", async (t) => {
  const api = await startApi(t);
  const { text: key } = await api.givenKey();
  const words = ["collect", "dentists", "--area", "Vaduz", "--max-units", "5"];

  const { code, error } = await waypost(words, { WAYPOST_URL: api.address, WAYPOST_API_KEY: key });

  assert.equal(code, 6);
  assert.match(error, /^col_\w+ {2}partial {2}[1-4] of 5 cells {2}.* of 5 units$/m);
});

test("collect says what is missing before it calls anyone", async () => {
  for (const [words, sentence] of [
    [["collect"], /what to collect/],
    [["collect", "dentists", "--max-units", "5"], /--area/],
    [["collect", "dentists", "--area", "Vaduz"], /--max-units/],
    [["collect", "dentists", "--area", "47,9,48", "--max-units", "5"], /--area takes a place or SOUTH,WEST,NORTH,EAST/],
    [["collect", "x", "--area", "Vaduz", "--max-units", "5", "--columns", "all"], /--columns goes with --format/],
    [["collect", "x", "--area", "Vaduz", "--max-units", "5", "--format", "csv", "--columns", "fax"], /column 'fax'/],
    [["collect", "dentists", "--area", ",,,", "--max-units", "5"], /--area takes a place or SOUTH,WEST,NORTH,EAST/],
  ] as const) {
    const { code, error } = await waypost([...words], { WAYPOST_API_KEY: "svc_test_x" });
    assert.notEqual(code, 0);
    assert.match(error, sentence);
  }
});

test("Ctrl-C leaves a collection running and says how to come back to it", async (t) => {
  const api = await startApi(t, { source: scriptedSource().source });
  const { text: key } = await api.givenKey({ environment: "live" });
  const environment = { WAYPOST_URL: api.address, WAYPOST_API_KEY: key };
  const words = ["collect", "dentists", "--area", "47,9,48,10", "--max-units", "50"];
  const child = startWaypost(words, environment);
  t.after(() => child.kill("SIGKILL"));
  let error = "";
  const isShown = Promise.withResolvers<void>();
  child.stderr.on("data", (chunk) => {
    error += String(chunk);
    if (/col_\w+ {2}queued/.test(error)) isShown.resolve();
  });

  await isShown.promise;
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.on("close", resolve));

  assert.equal(code, 130);
  const id = /col_\w+/.exec(error)?.[0] ?? "";
  assert.match(error, new RegExp(`The collection goes on: \`waypost collections follow ${id}\` comes back to it`));
  const { body } = await api.call(`/api/v1/collections/${id}`, { key });
  assert.equal(body["data"].status, "queued");
});
