import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { readRows } from "../../test/questions.ts";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const rooms = [
  "platform",
  "text",
  "kinds",
  "languages",
  "geography",
  "gazetteer",
  "places",
  "place-index",
  "query",
].map((room) => `server/src/${room}`);

/** Prints how each question is read that it is given on its standard input. */
const reader = `
import { readFileSync } from "node:fs";
import { readTyped } from "./server/src/query/typed.ts";

const questions = JSON.parse(readFileSync("questions.json", "utf8"));
const readings = questions.map(({ q, hl }) => readTyped(q, hl));
process.stdout.write(JSON.stringify(readings));
`;

type Asked = { q: string; hl: string };
type Reading = { categories: string[]; where: string | null; what: string; rest: string };

const madeUp = `
serves: qab
kinds:
  amenity/cafe: blorka
  shop/bakery: snorf
plurals:
  rules: [[a, ai], ["", i]]
attributes:
  vegan: zulvek
links:
  in: oum
here: nir mo
`;

test("a language is one file: its kinds, attributes, links and words for here are understood", async (t) => {
  const tree = await givenTree(t);
  const questions = [
    { q: "blorkai zulvek oum Vaduz", hl: "qaa" },
    { q: "snorf nir mo", hl: "qab-LI" },
  ];
  const before = await tree.read(questions);

  await writeFile(join(tree.folder, "server/src/languages/qaa.yaml"), madeUp);
  await tree.compile();
  const after = await tree.read(questions);

  assert.deepEqual(
    before.map(({ categories }) => categories),
    [[], []],
  );
  const [cafe, bakery] = after;
  assert.deepEqual([cafe?.categories, cafe?.where, cafe?.rest], [["amenity/cafe"], "Vaduz", ""]);
  assert.deepEqual([bakery?.categories, bakery?.what], [["shop/bakery"], "snorf"]);
});

test("without its file a language is not understood, and every other one is as before", async (t) => {
  const tree = await givenTree(t);
  const questions = readRows(await readFile(join(root, "server/src/query/questions.tsv"), "utf8"));
  const before = await tree.read(questions);

  await rm(join(tree.folder, "server/src/languages/pl.yaml"));
  await tree.compile();
  const after = await tree.read(questions);

  const changed = questions.filter((_, index) => JSON.stringify(before[index]) !== JSON.stringify(after[index]));
  assert.ok(questions.length > 500 && changed.length > 0, `${changed.length} of ${questions.length} questions`);
  assert.deepEqual(
    changed.filter(({ hl, q }) => hl !== "pl" && !q.endsWith(" w Krakowie")).map(({ q, hl }) => `${q} (${hl})`),
    [],
  );
});

/** The rooms that read words, on their own, and how they read questions by the files of languages in them. */
async function givenTree(t: TestContext) {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  for (const path of ["package.json", "server/package.json", ...rooms]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "reader.ts"), reader);

  return {
    folder,
    async compile(): Promise<void> {
      await run(process.execPath, ["server/src/languages/compile/write.ts"], { cwd: folder });
    },
    async read(questions: readonly Asked[]): Promise<Reading[]> {
      await writeFile(join(folder, "questions.json"), JSON.stringify(questions));
      const { stdout } = await run(process.execPath, ["reader.ts"], { cwd: folder, maxBuffer: 64_000_000 });
      return JSON.parse(stdout);
    },
  };
}
