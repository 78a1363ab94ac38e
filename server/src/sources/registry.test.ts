import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { manualClock } from "../../test/harness.ts";
import { openOutbound } from "../../test/outbound.ts";
import { noPlaceIndex } from "../place-index/reader.ts";
import { noMeters } from "../platform/meters.ts";
import { silentLog } from "../platform/log.ts";
import type { Database } from "../platform/postgres/database.ts";
import { integer, setting } from "../platform/settings.ts";
import { defineSource } from "./definition.ts";
import { createSources, registeredSources, settingsOf } from "./registry.ts";
import { createSourceSelection } from "./selection.ts";

const almanac = defineSource({
  name: "almanac",
  isLocal: false,
  isAutomatic: true,
  deadlinesMs: { search: 1_000, job: 2_000 },
  jobsMax: 3,
  breaker: { failuresMax: 1, openMs: 1_000 },
  neverFills: ["rating"],
  covers: "One valley.",
  greeting: "answered by the almanac",
  settings: { year: setting("WAYPOST_ALMANAC_YEAR", "1900", integer(1_800, 2_100), "The year of the almanac.") },
  create: (_deps, { year }) =>
    year < 1_850 ? undefined : { search: async () => ({ listings: [], verdict: "empty" as const }) },
});

test("a source is registered by its definition alone: settings, choice, concurrency and greeting follow", async (t) => {
  const clock = manualClock();
  const ports = {
    outbound: openOutbound(t),
    clock,
    log: silentLog,
    ...noMeters,
    dataFolder: "",
    placeIndex: noPlaceIndex,
  };
  const deps = { db: {} as Database, reads: {} as Database, ...ports }; // this source reads no database
  const settings = settingsOf([almanac]);
  assert.deepEqual(Object.keys(settings), ["almanac.year"]);
  const values = { "almanac.year": settings["almanac.year"]?.read("1900") };

  const sources = await createSources(deps, values, [almanac]);
  const picked = await createSourceSelection({ choice: "auto", sources, clock }).pick();

  assert.equal(picked?.name, "almanac");
  assert.equal(picked.jobsMax, 3);
  assert.equal(picked.greeting, "answered by the almanac");
  assert.deepEqual(await createSources(deps, { "almanac.year": 1_800 }, [almanac]), []);
});

test("names and variables of registered sources are unique", () => {
  const names = registeredSources.map(({ name }) => name);
  const variables = registeredSources.flatMap(({ settings }) => Object.values(settings).map(({ name }) => name));

  assert.ok(names.length >= 2);
  assert.equal(new Set(names).size, names.length);
  assert.equal(new Set(variables).size, variables.length);
  for (const variable of variables) assert.match(variable, /^WAYPOST_[A-Z_]+$/);
});

/**
 * The catalog is also data of the installation, which the console shows, and the source of an example. A kind of data
 * set is called osm too.
 */
const keepers: Record<string, readonly string[]> = {
  osm: ["data-sets/6-merge/merge-kinds.ts"],
  catalog: ["api/openapi/example-values.ts", "console/catalog-routes.ts", "console/tile-routes.ts"],
};

// Adding a source must not need a search for lists of sources elsewhere.
test("outside of its folder a source is named by its registration alone", async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const files = (await readdir(root, { recursive: true })).filter(
    // Operator commands fill the catalog, and fixtures imitate each source's gaps.
    (path) => path.endsWith(".ts") && !/\.test\.ts$|^operator\/|^sources\/fixtures\//.test(path),
  );
  const folders = registeredSources.map(({ name }) => `sources/${name}/`);
  assert.ok(files.length > 100);
  for (const { name } of registeredSources) {
    const quoted = new RegExp(`["'\`]${name}["'\`]|sources/${name}/index\\.ts|\\./${name}/index\\.ts`);
    const naming = [];
    for (const path of files.filter((each) => !folders.some((folder) => each.startsWith(folder)))) {
      if (quoted.test(await readFile(join(root, path), "utf8"))) naming.push(path);
    }
    assert.deepEqual(naming.toSorted(), [...(keepers[name] ?? []), "sources/registry.ts"].toSorted(), name);
  }
});

test("the guide's table says what the sources say about themselves", async () => {
  const guide = await readFile(new URL("../../../docs/guides/sources.md", import.meta.url), "utf8");
  const rows = guide.split("\n").filter((line) => line.startsWith("| `"));

  const described = registeredSources.map(({ name, isAutomatic, covers, deadlinesMs, jobsMax, breaker }) => {
    const deadlines = `${deadlinesMs.search / 1_000} s, ${deadlinesMs.job / 1_000} s`;
    const alone = breaker ? `for ${breaker.openMs / 1_000} s after ${breaker.failuresMax} failures` : "never";
    return `| \`${name}\` | ${isAutomatic ? "yes" : "no"} | ${covers} | ${deadlines} | ${jobsMax} | ${alone} |`;
  });
  assert.deepEqual(rows, described);
});
