import assert from "node:assert/strict";
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { settings } from "../src/service/config/config.ts";
import { formerSettings } from "../src/service/config/former-settings.ts";
import { httpOf } from "../src/platform/http/error-body.ts";
import type { ErrorDefinition } from "../src/platform/errors.ts";
import { sourceNames } from "../src/sources/registry.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

/** The rows of the first table of a document, without its head. */
function tableOf(markdown: string): string[][] {
  const rows = markdown.split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("the configuration reference lists every setting with its default and meaning", async () => {
  const documented = tableOf(await read("docs/reference/configuration.md"));

  const known = Object.values(settings).map(({ name, fallback, about }) => [
    `\`${name}\``,
    fallback ? `\`${fallback}\`` : "",
    about,
  ]);
  assert.deepEqual(documented, known);
});

test("the configuration reference names every setting that went", async () => {
  const documented = await read("docs/reference/configuration.md");

  for (const [name, instead] of formerSettings) assert.ok(documented.includes(`- \`${name}\`: ${instead}`), name);
});

async function definedErrors(): Promise<ErrorDefinition<never>[]> {
  const folder = join(root, "server/src");
  const files = (await readdir(folder, { recursive: true })).filter(
    (path) => /(^|\/)errors\.ts$/.test(path) && !path.startsWith("api/"),
  );
  assert.ok(files.length > 2);
  const modules = await Promise.all(
    files.map((path) => import(pathToFileURL(join(folder, path)).href) as Promise<Record<string, unknown>>),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter(
      (value): value is ErrorDefinition<never> => typeof value === "function" && "kind" in value && "code" in value,
    );
}

test("the error reference lists every code with its status and whether to retry", async () => {
  const documented = tableOf(await read("docs/reference/errors.md")).map(([code, status, retryable]) =>
    [code, status, retryable].join(" "),
  );

  const errors = await definedErrors();
  const known = new Set(
    errors.map((error) => {
      const { status, retryable } = httpOf(error);
      return `\`${error.code}\` ${status} ${retryable ? "yes" : "no"}`;
    }),
  );
  assert.deepEqual([...documented].sort(), [...known].sort());
});

test("every path that ARCHITECTURE.md and README.md name exists", async () => {
  for (const document of ["ARCHITECTURE.md", "README.md", "CONTRIBUTING.md"]) {
    const named = Array.from(
      (await read(document)).matchAll(
        /`((?:server|sdk|cli|e2e|bench|docs|scripts|\.ci)\/[\w./-]*)`|\]\((?!https?:)([\w./-]+)\)/g,
      ),
      ([, code, link]) => code ?? link ?? "",
    );
    assert.ok(named.length > 0, document);
    for (const path of named) await assert.doesNotReject(access(join(root, path)), `${document} names ${path}`);
  }
});

test("the glossary names every source", async () => {
  const [, row = ""] = /^\| source \|(.*)$/m.exec(await read("docs/reference/glossary.md")) ?? [];

  for (const name of sourceNames) assert.ok(row.includes(`\`${name}\``), `${name} is not in the glossary`);
});

test("the guide's scrape job has the name by which the alert rules know the service", async () => {
  const [, job] = /\bup\{job="(\w+)"\}/.exec(await read("deploy/prometheus/alerts.yml")) ?? [];

  assert.match(await read("docs/guides/operating.md"), new RegExp(`^ +- job_name: ${job}$`, "m"));
});

test("documents link to files that exist", async () => {
  const documents = (await readdir(join(root, "docs"), { recursive: true })).filter((path) => path.endsWith(".md"));
  assert.ok(documents.length > 3);
  for (const document of documents) {
    const text = await read(join("docs", document));
    for (const [, link = ""] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await assert.doesNotReject(access(join(root, "docs", document, "..", link)), `${document} links to ${link}`);
    }
  }
});

async function documentPaths(): Promise<string[]> {
  const guides = (await readdir(join(root, "docs"), { recursive: true })).filter((path) => path.endsWith(".md"));
  return [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "bench/README.md",
    ...guides.map((path) => `docs/${path}`),
  ];
}

test("bench/README.md lists every benchmark and soak, and documents name no others", async () => {
  const namesIn = async (folder: string, ending: string) =>
    (await readdir(join(root, folder))).filter((file) => file.endsWith(ending)).map((file) => file.split(".")[0] ?? "");
  const known = { bench: await namesIn("bench", ".bench.ts"), soak: await namesIn("bench/soak", ".soak.ts") };
  const listed = Array.from((await read("bench/README.md")).matchAll(/^\| `([a-z-]+)` \|/gm), ([, name = ""]) => name);

  assert.ok(known.bench.length > 5 && known.soak.length > 3);
  assert.deepEqual(listed.toSorted(), [...known.bench, ...known.soak].toSorted());
  for (const path of await documentPaths()) {
    for (const [, kind = "", name = ""] of (await read(path)).matchAll(/npm run (bench|soak) -- ([a-z-]+)/g)) {
      assert.ok(known[kind as keyof typeof known].includes(name), `${path} names ${kind} ${name}`);
    }
  }
});

test("every test file that documents name exists", async () => {
  for (const path of await documentPaths()) {
    for (const [, file = ""] of (await read(path)).matchAll(/npm test -- ([\w./-]+\.test\.ts)/g)) {
      await assert.doesNotReject(access(join(root, file)), `${path} names ${file}`);
    }
  }
});

// Node runs TypeScript from 22.18 on, and the README asks for 18: the launcher finds the one that npm installed.
test("documents start TypeScript with the launcher", async () => {
  const documents = (await readdir(join(root, "docs"), { recursive: true })).filter((path) => path.endsWith(".md"));
  for (const document of ["../README.md", "../CONTRIBUTING.md", ...documents]) {
    assert.doesNotMatch(await read(join("docs", document)), /\bnode [\w./-]+\.ts\b/, document);
  }
});

test("the changelog has an Unreleased part", async () => {
  assert.match(await read("CHANGELOG.md"), /^## Unreleased$/m);
});

test("every table has its bound in the operator's guide", async () => {
  const guide = await read("docs/guides/operating.md");
  const [, growth = ""] = guide.split("\n## Growth\n");
  const bounded = tableOf(growth.split("\n## ")[0] ?? "").flatMap(([names = "", bound]) =>
    bound ? Array.from(names.matchAll(/`([a-z_]+)`/g), ([, name = ""]) => name) : [],
  );
  const migrations = (await readdir(join(root, "server/migrations"))).filter((name) => name.endsWith(".sql"));
  const texts = await Promise.all(migrations.map((name) => read(`server/migrations/${name}`)));
  const created = Array.from(
    texts.join("\n").matchAll(/^create (?:unlogged )?table ([a-z_]+)/gm),
    ([, name = ""]) => name,
  );
  const dropped = new Set(Array.from(texts.join("\n").matchAll(/^drop table ([a-z_]+)/gm), ([, name = ""]) => name));

  const tables = [...created.filter((name) => !dropped.has(name)), "schema_migrations"];

  assert.ok(tables.length > 20);
  assert.deepEqual(bounded.toSorted(), tables.toSorted());
});
