import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const source = "server/src";

/** From left to right: a room may import its own files and the rooms of the layers to its right. */
const layers = [
  ["main"],
  ["service"],
  ["api", "mcp", "worker", "console", "operator"],
  ["domains"],
  ["sources"],
  ["query", "data-sets"],
  ["place-index"],
  ["places", "gazetteer"],
  ["kinds", "languages"],
  ["text", "geography"],
  ["platform"],
] as const;
type Room = (typeof layers)[number][number];
const edges: readonly Room[] = layers[2];
/** The one arrow inside a layer. */
const insideLayer = new Set(["languages → kinds"]);

type Import = { from: string; to: string; typeOnly: boolean; isLate?: boolean };

/** The loose files belong to `main`. */
function roomOf(path: string): Room {
  const [first = ""] = relative(source, path).split("/");
  return layers.flat().find((room) => room === first) ?? "main";
}

const layerOf = (room: Room) => layers.findIndex((rooms) => rooms.some((each) => each === room));

const domainOf = (path: string) => /^server\/src\/domains\/([^/]+)\//.exec(path)?.[1];
const isDoor = (path: string) => /^server\/src\/domains\/[^/]+\/index\.ts$/.test(path);

const isStore = (path: string) => path.endsWith("store.ts");
const isRoutes = (path: string) => path.endsWith("routes.ts");

function speaksHttp(path: string): boolean {
  return isRoutes(path) || /schemas?\.ts$/.test(path);
}

/** What an import breaks, in words; undefined when it breaks nothing. */
function violation(imported: Import): string | undefined {
  const { from, to } = imported;
  if (to.startsWith(`${source}/`)) {
    const [room, otherRoom] = [roomOf(from), roomOf(to)];
    if (layerOf(room) > layerOf(otherRoom)) return "imports point right, from main to platform";
    if (layerOf(room) === layerOf(otherRoom) && room !== otherRoom && !insideLayer.has(`${room} → ${otherRoom}`))
      return "rooms of one layer do not import each other";
    const [mine, other] = [domainOf(from), domainOf(to)];
    if (other && mine !== other && !isDoor(to)) return "another domain is entered only through its index.ts";
    if (isRoutes(from) && isStore(to)) return "routes never import a store";
    if (edges.includes(room) && isStore(to)) return "an edge calls verbs, never a store";
    if (domainOf(from) && to.startsWith(`${source}/platform/http/`) && !speaksHttp(from))
      return "in a domain only routes and schemas know HTTP";
  }
  const knowsFastify = /^server\/src\/(api|console|platform\/http)\//.test(from) || isRoutes(from);
  if (/^@?fastify/.test(to) && !knowsFastify) return "only the HTTP edges know Fastify";
  if (from.startsWith("sdk/src/") && !to.startsWith("sdk/src/")) return "the SDK imports nothing but its own files";
  return undefined;
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function importsOf(path: string): Promise<Import[]> {
  const text = await readFile(join(root, path), "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^;]*?from\s+"([^"]+)"|import\("([^"]+)"\)/gm);
  return Array.from(found, ([, type, named, dynamic]) => {
    const target = named ?? dynamic ?? "";
    const to = target.startsWith(".") ? relative(root, join(root, dirname(path), target)) : target;
    return { from: path, to, typeOnly: type !== undefined, isLate: dynamic !== undefined };
  });
}

test("imports keep to the layers", async () => {
  const files = [...(await filesOf(source)), ...(await filesOf("sdk/src"))];
  const imports = (await Promise.all(files.map(importsOf))).flat();
  assert.ok(files.length > 50, `${files.length} files were read`);
  assert.ok(imports.length > 150, `${imports.length} imports were read`);

  const broken = imports.flatMap((each) => {
    const rule = violation(each);
    return rule ? [`${each.from} → ${each.to}: ${rule}`] : [];
  });

  assert.deepEqual(broken, []);
});

/** Everything that is loaded with a file: its imports and theirs, but neither types nor what is imported when needed. */
async function loadedWith(path: string, loaded = new Set<string>()): Promise<Set<string>> {
  if (loaded.has(path)) return loaded;
  loaded.add(path);
  if (!path.startsWith(`${source}/`)) return loaded;
  for (const { to, typeOnly, isLate } of await importsOf(path)) {
    if (!typeOnly && isLate !== true) await loadedWith(to, loaded);
  }
  return loaded;
}

// Every command pays for what it loads before it does anything.
test("the operator's commands load neither what serves HTTP nor the code of a source", async () => {
  const served = /^(typebox|undici|fastify|prom-client|tldts)$|^server\/src\/(api|console|mcp|worker)\//;
  const answering =
    /^server\/src\/(query|sources\/catalog\/search|data-sets\/[2-7]|places\/(render|osm-tags)|languages)\//;

  const entries = [`${source}/operator/open.ts`, `${source}/service/config/config.ts`];
  const loaded = [
    ...new Set((await Promise.all(entries.map((entry) => loadedWith(entry)))).flatMap((set) => [...set])),
  ];

  assert.ok(
    loaded.includes("pg") && loaded.includes(`${source}/sources/registry.ts`),
    `${loaded.length} files were read`,
  );
  assert.deepEqual(
    loaded.filter((path) => served.test(path) || answering.test(path)),
    [],
  );
});

/** The folders inside a folder that import each other in a circle; files directly in it are no part of one. */
function foldersInCycles(folder: string, imports: readonly Import[]): string[] {
  const graph = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [mine, other] = [childFolder(folder, from), childFolder(folder, to)];
    if (mine && other && mine !== other) graph.set(mine, (graph.get(mine) ?? new Set()).add(other));
  }
  const reaches = (start: string, goal: string, seen = new Set<string>()): boolean =>
    [...(graph.get(start) ?? [])].some(
      (next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    );
  return [...graph.keys()].filter((each) => reaches(each, each)).map((each) => `${folder}/${each}`);
}

function childFolder(folder: string, path: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined;
  const [child, ...rest] = path.slice(folder.length + 1).split("/");
  return rest.length > 0 ? child : undefined;
}

test("no folders import each other in a circle, at any depth", async () => {
  const files = await filesOf(source);
  const imports = (await Promise.all(files.map(importsOf))).flat();
  const folders = new Set(files.flatMap(foldersAbove));

  assert.ok(folders.size > 20, `${folders.size} folders were read`);
  assert.deepEqual(
    [...folders].flatMap((folder) => foldersInCycles(folder, imports)),
    [],
  );
});

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === dirname(source) ? [] : [folder, ...foldersAbove(folder)];
}

test("a circle of folders is found, whichever files make it", () => {
  const imports = [
    ["server/src/domains/a/service.ts", "server/src/domains/b/index.ts"],
    ["server/src/domains/b/store.ts", "server/src/domains/c/index.ts"],
    ["server/src/domains/c/deep/file.ts", "server/src/domains/a/index.ts"],
    ["server/src/domains/c/index.ts", "server/src/domains/c/deep/file.ts"],
  ].map(([from = "", to = ""]) => ({ from, to, typeOnly: false }));

  const inCycles = foldersInCycles("server/src/domains", imports);

  assert.deepEqual(inCycles.sort(), ["server/src/domains/a", "server/src/domains/b", "server/src/domains/c"]);
  assert.deepEqual(foldersInCycles("server/src/domains/c", imports), []);
});

/** Files that reach themselves by imports, types counted; each group is one circle. */
function circlesOf(imports: readonly Import[]): string[][] {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const { to } of graph.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (open.includes(to)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles.toSorted((one, other) => (one[0] ?? "").localeCompare(other[0] ?? ""));
}

test("no files import each other in a circle, types counted", async () => {
  const folders = [source, "cli/src", "sdk/src", "dashboard/src", "e2e", "bench", "scripts"];
  const files = (await Promise.all(folders.map(filesOf))).flat();
  const imports = (await Promise.all(files.map(importsOf))).flat();

  const circles = circlesOf(imports);

  assert.ok(files.length > 500, `${files.length} files were read`);
  assert.deepEqual(circles, []);
});

test("a circle of files is found, by types and late imports too", () => {
  const imports = [
    { from: "a.ts", to: "b.ts", typeOnly: true },
    { from: "b.ts", to: "c.ts", typeOnly: false, isLate: true },
    { from: "c.ts", to: "a.ts", typeOnly: false },
    { from: "c.ts", to: "d.ts", typeOnly: false },
  ];

  assert.deepEqual(circlesOf(imports), [["a.ts", "b.ts", "c.ts"]]);
  assert.deepEqual(circlesOf(imports.slice(1)), []);
});

test("a folder that has an index.ts is entered through it", async () => {
  const files = await filesOf(source);
  const rooms = files.filter((path) => path.endsWith("/index.ts")).map((path) => dirname(path));
  const imports = (await Promise.all(files.map(importsOf))).flat();
  const past = new Set<string>();
  for (const { from, to } of imports) {
    for (const room of rooms) {
      const enters = to.startsWith(`${room}/`) && !from.startsWith(`${room}/`);
      if (enters && to !== `${room}/index.ts`) past.add(`${from} → ${room}`);
    }
  }

  assert.ok(rooms.length > 10);
  assert.deepEqual([...past].sort(), []);
});

// The positive control: a check that never finds anything proves nothing.
test("each rule finds what breaks it", () => {
  const breaking: [string, string][] = [
    ["server/src/platform/log.ts", "server/src/domains/search/index.ts"],
    ["server/src/sources/source.ts", "server/src/domains/search/index.ts"],
    ["server/src/domains/search/service.ts", "server/src/api/app.ts"],
    ["server/src/api/app.ts", "server/src/service/config/config.ts"],
    ["server/src/service/start.ts", "server/src/main.ts"],
    ["server/src/domains/search/service.ts", "server/src/domains/api-keys/store.ts"],
    ["server/src/domains/search/service.ts", "server/src/domains/webhooks/endpoints/index.ts"],
    ["server/src/domains/search/routes.ts", "server/src/domains/search/store.ts"],
    ["server/src/domains/webhooks/routes.ts", "server/src/domains/webhooks/endpoints/secret-store.ts"],
    ["server/src/domains/exports/download-routes.ts", "server/src/domains/exports/files/store.ts"],
    ["server/src/operator/usage.ts", "server/src/sources/catalog/search/store.ts"],
    ["server/src/worker/loops.ts", "server/src/platform/postgres/some-store.ts"],
    ["server/src/api/app.ts", "server/src/worker/run.ts"],
    ["server/src/domains/search/service.ts", "server/src/platform/http/envelope.ts"],
    ["server/src/domains/search/service.ts", "fastify"],
    ["server/src/platform/log.ts", "@fastify/swagger"],
    ["sdk/src/client.ts", "@waypost/server"],
    ["sdk/src/client.ts", "node:crypto"],
  ];
  const keeping: [string, string][] = [
    ["server/src/main.ts", "server/src/service/start.ts"],
    ["server/src/service/build-api.ts", "server/src/api/app.ts"],
    ["server/src/api/app.ts", "server/src/domains/search/index.ts"],
    ["server/src/domains/search/service.ts", "server/src/domains/api-keys/index.ts"],
    ["server/src/domains/search/routes.ts", "fastify"],
    ["server/src/domains/search/schema.ts", "server/src/platform/http/envelope.ts"],
    ["server/src/platform/http/server.ts", "fastify"],
  ];

  for (const [from, to] of breaking) assert.ok(violation({ from, to, typeOnly: false }), `${from} → ${to}`);
  for (const [from, to] of keeping)
    assert.equal(violation({ from, to, typeOnly: false }), undefined, `${from} → ${to}`);
});

test("only service/config/ reads the environment", async () => {
  const files = await filesOf(source);
  const readers = [];
  for (const path of files) {
    if ((await readFile(join(root, path), "utf8")).includes("process.env")) readers.push(path);
  }

  assert.deepEqual(readers, ["server/src/service/config/config.ts"]);
});

/** Timers that come back outside of the worker edge, each with its reason. */
const repeatingTimers = new Map([
  ["server/src/platform/log-destination.ts", "writes out buffered lines"],
  ["server/src/service/start.ts", "closes idle connections while the server shuts down"],
  ["server/src/domains/api-keys/verifier.ts", "last uses are in the memory of the process that answers"],
  ["server/src/domains/scrapes/finish-watch.ts", "callers wait for jobs in the process that answers"],
  ["server/src/platform/http/connection-limits.ts", "closes unused connections while the server shuts down"],
  [`${source}/platform/http/unread-answers.ts`, "bounds what waits for slow readers"],
  [`${source}/platform/idempotency.ts`, "a call keeps its key in the process that runs it, while it lasts"],
  [`${source}/platform/postgres/clock-check.ts`, "each process has a clock of its own"],
  [`${source}/platform/postgres/notifications.ts`, "each process has a connection of its own that may be dead"],
  [
    "server/src/data-sets/2-read/threads/read-thread.ts",
    "tells how far the reading of a file has come, while it lasts",
  ],
  ["server/src/data-sets/2-read/threads/threaded-reader.ts", "watches the thread that reads a file, while it lasts"],
]);

test("background loops are started by the worker edge only", async () => {
  const found = [];
  for (const path of await filesOf(source)) {
    const isWorker = path.startsWith(`${source}/worker/`);
    if (!isWorker && (await readFile(join(root, path), "utf8")).includes("setInterval(")) found.push(path);
  }

  assert.deepEqual(found.sort(), [...repeatingTimers.keys()].sort());
});

test("advisory locks are named in one file", async () => {
  const named = `${source}/platform/postgres/advisory-locks.ts`;
  for (const path of await filesOf(source)) {
    const locks = /pg_(?:try_)?advisory\w*lock/.test(await readFile(join(root, path), "utf8"));
    if (!locks) continue;
    const imports = await importsOf(path);
    assert.ok(
      imports.some(({ to }) => to === named),
      `${path} takes a lock whose number is not in ${named}`,
    );
  }
});

test("files are named in kebab-case and stay under the ceiling of 400 lines", async () => {
  for (const folder of [
    "server",
    "cli",
    "e2e",
    "bench",
    "scripts",
    "sdk/src",
    "sdk/scripts",
    "sdk/examples",
    "sdk/test",
  ]) {
    for (const path of await filesOf(folder)) {
      if (path.includes("node_modules") || path === "sdk/src/openapi.ts") continue;
      assert.match(path.split("/").at(-1) ?? "", /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*\.ts$/, path);
      const lines = (await readFile(join(root, path), "utf8")).split("\n").length;
      assert.ok(lines <= 401, `${path} has ${lines} lines`);
    }
  }
});

test("main.ts is the only loose file of the service", async () => {
  const loose = (await filesOf(source)).filter((path) => dirname(path) === source);

  assert.deepEqual(loose, [`${source}/main.ts`]);
});
