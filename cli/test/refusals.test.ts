import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { refuse, startScripted } from "../../sdk/test/scripted-server.ts";
import { makeTempFolder, removeFolder } from "../../server/test/temp-folder.ts";
import { waypost } from "./waypost.ts";

const job = `job_${"0".repeat(26)}`;
const collection = `col_${"0".repeat(26)}`;
const collect = ["collect", "restaurant", "--area", "Vaduz", "--max-units", "4"];

async function setUp(t: TestContext) {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  const { baseUrl, seen } = await startScripted(t, refuse(500, "internal_error", false));
  const taken = join(folder, "taken.csv");
  await writeFile(taken, "mine");
  await mkdir(join(folder, "folder.csv"));
  return { folder, taken, seen, environment: { WAYPOST_URL: baseUrl, WAYPOST_API_KEY: "svc_test_x" } };
}

test("a file that cannot be written is refused before anything is sent", async (t) => {
  const { folder, taken, seen, environment } = await setUp(t);
  const under = (...parts: string[]) => join(folder, ...parts);
  const files = [
    ["--format", "csv", "--output", taken],
    ["--format", "csv", "--output", under("nowhere", "out.csv")],
    ["--format", "csv", "--output", under("taken.csv", "out.csv")],
    ["--format", "csv", "--output", under("folder.csv"), "--force"],
    ["--output", taken],
  ];
  const maps = [
    ["--map", taken],
    ["--map", under("nowhere", "map.svg")],
    ["--map", under("folder.csv"), "--force"],
    ["--output", under("one.csv"), "--map", under("one.csv")],
  ];

  for (const [verb, options] of [
    [collect, [...files, ...maps]],
    [
      ["collections", "follow", collection],
      [...files, ...maps],
    ],
    [["export", job], files],
  ] as const) {
    for (const given of options) {
      const { code, out, error } = await waypost([...verb, ...given], environment);
      const words = [...verb, ...given].join(" ");
      assert.ok(code === 1 || code === 2, words);
      assert.match(error, /there already|cannot be written|takes the name of a file|name the same file/, words);
      assert.equal(out, "");
    }
  }

  assert.deepEqual(seen, []);
  assert.equal(await readFile(taken, "utf8"), "mine");
  assert.deepEqual((await readdir(folder)).sort(), ["folder.csv", "taken.csv"]);
});

test("options that mean nothing are refused before anything is sent", async (t) => {
  const { folder, seen, environment } = await setUp(t);
  const output = join(folder, "out.csv");

  for (const [words, sentence] of [
    [[...collect, "--format", "bogus"], /^--format is one of csv, /],
    [[...collect, "--output", join(folder, "out")], /^Say with --format what to write to .*out: csv, /],
    [[...collect, "--create-only", "--format", "bogus"], /^--format does nothing with --create-only/],
    [[...collect, "--create-only", "--output", output], /^--output does nothing with --create-only/],
    [[...collect, "--create-only", "--map", output], /^--map does nothing with --create-only/],
    [["export", job, "--create-only", "--output", output], /^--output does nothing with --create-only/],
    [["scrape", "restaurant", "--wait", "--timeout", "5m"], /^--timeout takes a whole number/],
    [["scrape", "restaurant", "--timeout", "5m"], /^--timeout takes a whole number/],
    [["scrape", "restaurant", "--timeout", "5"], /^--timeout goes with --wait/],
    [["scrape", "restaurant", "--csv"], /^--csv goes with --wait/],
    [["export", job, "--output", "-"], /^--output takes the name of a file, and '-' is none/],
    [["jobs", "wait", job, "--timeout", "5m"], /^--timeout takes a whole number/],
    [["results", job, "--limit", "0"], /^--limit must be at least 1\.$/m],
    [["jobs", "--limit", "0"], /^--limit must be at least 1\.$/m],
    [["exports", "--limit", "0"], /^--limit must be at least 1\.$/m],
    [["webhooks", "listen", "--events", "bogus"], /^--events takes one or more of scrape\.started, /],
    [["webhooks", "listen", "--events", ","], /^--events takes one or more of /],
  ] as const) {
    const { code, error } = await waypost([...words], environment);
    assert.equal(code, 2, words.join(" "));
    assert.match(error, sentence, words.join(" "));
  }

  assert.deepEqual(seen, []);
});

test("an export is of the format that its file's name ends with", async (t) => {
  const { folder, seen, environment } = await setUp(t);

  await waypost(["export", job, "--output", join(folder, "all.XLSX")], environment);
  await waypost(["export", job, "--output", join(folder, "all.data")], environment);
  await waypost(["export", job, "--output", join(folder, "all.xlsx"), "--format", "json"], environment);

  assert.deepEqual(
    seen.map(({ body }) => JSON.parse(body).format),
    ["xlsx", "csv", "json"],
  );
});
