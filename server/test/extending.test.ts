import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { access, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { makeTempFolder, removeFolder } from "./temp-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const compileMsMax = 240_000;

/** A line put before the first place that matches, in a file of the copy. */
type Insertion = readonly [file: string, before: RegExp, text: string];

const almanac = `import { defineSource } from "../definition.ts";

export const almanac = defineSource({
  name: "almanac",
  isLocal: true,
  isAutomatic: false,
  deadlinesMs: { search: 1_000, job: 1_000 },
  jobsMax: 1,
  breaker: null,
  neverFills: [],
  covers: "One valley.",
  greeting: "answered by the almanac",
  settings: {},
  create: () => undefined,
});
`;

/** What each change begins with. */
const beginnings: readonly Insertion[] = [
  [
    "server/src/domains/scrapes/operations.ts",
    /^\} as const satisfies/m,
    `"places.hours": { about: "hours", environments, sourceQuery: (params) => params, project: (place) => place },\n`,
  ],
  ["server/src/places/place.ts", /^ +hotelClass: /m, "wheelchairEntrance: OrNull(Type.Boolean()),\n"],
  [
    "server/src/domains/webhooks/events/event-types.ts",
    /^ {2}"webhook\.test": /m,
    `"export.expired": { resourceTypes: ["export"], isLast: true, description: "The file is gone." },\n`,
  ],
  ["server/src/sources/registry.ts", /^import /m, `import { almanac } from "./almanac/index.ts";\n`],
  ["server/src/sources/registry.ts", /(?<=registeredSources: readonly SourceDefinition\[\] = \[)/, "almanac, "],
];

/** What the guide's files marked "compiler" need. */
const completions: readonly Insertion[] = [
  ["server/src/domains/businesses/facets.ts", /^ +hotelClass: /m, `wheelchairEntrance: "base",\n`],
  ["server/src/sources/fixtures/record.ts", /^ +hotelClass: /m, "wheelchairEntrance: null,\n"],
  ["server/src/places/render/render.ts", /^ +hotelClass: /m, "wheelchairEntrance: null,\n"],
  ["server/src/sources/webmap/listing.ts", /^ +hotelClass: /m, "wheelchairEntrance: null,\n"],
  [
    "server/src/domains/webhooks/events/examples.ts",
    /^ {2}"webhook\.test": /m,
    `"export.expired": { data: { endpoint_id: "whe_gone" }, sequence: 2 },\n`,
  ],
];

test("the guide to extending names the files that each change needs, and no change needs another", async (t) => {
  const guide = await readFile(join(root, "docs/guides/extending.md"), "utf8");
  const named = Array.from(guide.matchAll(/`((?:server|docs)\/[\w./-]+)`/g), ([, path = ""]) => path);
  const marked = Array.from(guide.matchAll(/^- `([\w./-]+)` \(\*\*compiler\*\*\)/gm), ([, path = ""]) => path);
  const folder = await copyTree();
  t.after(() => removeFolder(folder));

  for (const change of beginnings) await insert(folder, change);
  await mkdir(join(folder, "server/src/sources/almanac"));
  await writeFile(join(folder, "server/src/sources/almanac/index.ts"), almanac);
  const broken = await filesThatDoNotCompile(folder);
  for (const change of completions) await insert(folder, change);
  const brokenStill = await filesThatDoNotCompile(folder);

  assert.deepEqual(broken, marked.toSorted());
  assert.deepEqual(brokenStill, []);
  assert.ok(named.length > 15, `${named.length} files were read from the guide`);
  for (const [file] of [...beginnings, ...completions]) assert.ok(named.includes(file), file);
  for (const path of named) await access(join(root, path));
});

/** The server's sources without their tests, which may import what lies beside the server. */
async function copyTree(): Promise<string> {
  const folder = await makeTempFolder();
  const { compilerOptions } = JSON.parse(await readFile(join(root, "tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  const scope = { include: ["server/src"], exclude: ["**/*.test.ts", "**/testing.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, ...scope }));
  for (const path of ["package.json", "server/package.json", "server/src"]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function insert(folder: string, [file, before, text]: Insertion): Promise<void> {
  const path = join(folder, file);
  const content = await readFile(path, "utf8");
  assert.match(content, before, file);
  await writeFile(
    path,
    content.replace(before, (found) => text + found),
  );
}

async function filesThatDoNotCompile(folder: string): Promise<string[]> {
  const tsc = join(root, "node_modules/.bin/tsc");
  const output = await new Promise<string>((resolve, reject) => {
    execFile(
      tsc,
      // Several checkers work out the same types each for itself, beside test files that need the cores.
      ["--noEmit", "--pretty", "false", "--singleThreaded", "--incremental", "--tsBuildInfoFile", ".build"],
      { cwd: folder, timeout: compileMsMax },
      (error, stdout) => {
        if (error?.killed) reject(error);
        else resolve(stdout);
      },
    );
  });
  const files = Array.from(output.matchAll(/^([\w./-]+)\(\d+,\d+\): error /gm), ([, path = ""]) => path);
  return [...new Set(files)].toSorted();
}
