import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// A release of Node or of a library may change what it does not document, and says so to nobody.

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = ["server/src", "server/test", "cli", "sdk", "e2e", "scripts"];

/** Ways into what Node, undici, pg and libphonenumber keep for themselves. */
const patterns = {
  "a field with an underscore":
    /\._(?!meta\b)[a-z]\w*|\{\s*_(?!meta\b)[a-z]\w*\??:|^\s*_(?!meta\b)[a-z]\w*\??:[^,]*;$/m,
  "a symbol of somebody else": /getOwnPropertySymbols/,
  "a method of an object replaced":
    /\.(?:push|read|write|end|emit|on|submit|destroy|\w*Incoming)\s*=\s*(?:async\b|function\b|\w*\()/,
  "a method borrowed from a prototype": /\.prototype\.\w+\.(?:call|apply|bind)\(/,
  "a cast that adds fields":
    /\b(?:socket|request|response|server|connection|pool|stream) as (?:unknown as |\{)|\bclient as \{/,
  "what the driver keeps": /\b(?:processID|secretKey|parsedStatements)\b(?=[;:.[]| })/,
  "tables of libphonenumber": /libphonenumber-js\/[\w/]*metadata/,
};

/** Files that may, each with its reason. One that no longer does, or is gone, must leave this list. */
const exceptions = new Map([
  ["cli/test/host.ts", "catches what a command writes to the test's own stdout"],
  ["server/test/private-fields.test.ts", "shows that each pattern finds something"],
]);

function findings(text: string): string[] {
  return Object.entries(patterns).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.[jt]sx?$/.test(entry.name) && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith("sdk/dist/"));
}

test("nothing leans on what Node and the libraries keep for themselves", async () => {
  const files = (await Promise.all(folders.map(filesOf))).flat();
  assert.ok(files.length > 500, `${files.length} files were read`);

  const leaning: string[] = [];
  for (const path of files) {
    const found = findings(await readFile(join(root, path), "utf8"));
    if (found.length > 0) leaning.push(exceptions.has(path) ? path : `${path}: ${found.join(", ")}`);
  }

  assert.deepEqual(leaning.sort(), [...exceptions.keys()].sort());
});

// The positive control: a check that never finds anything proves nothing.
test("each way into private fields is found, and what only looks like one is not", () => {
  const leaning = [
    "const { _handle: handle } = socket as Connection;",
    "response._header = null;",
    "type Connection = {\n  _httpMessage?: ServerResponse;\n};",
    "const [kState] = Object.getOwnPropertySymbols(request);",
    "request.push = (chunk: Buffer | null) => {",
    "socket.read = withoutContinuations(socket, read);",
    "parser.onIncoming = (request) => 0;",
    "return IncomingMessage.prototype.push.call(request, chunk);",
    "const { parser } = socket as { parser?: Parser };",
    "(connection as unknown as WireConnection).query(text)",
    "return (client as Numbered).processID;",
    'import metadata from "libphonenumber-js/min/metadata";',
  ];
  const fair = [
    "const { _meta: meta } = request;",
    "opened.read = from + count;",
    "entry.read = await entry.key;",
    "list.push(item);",
    "api.call(path, { download_url: _link });",
    "onRequest((_request, reply) => reply.send());",
    'import { PhoneNumber } from "libphonenumber-js/min";',
  ];

  for (const line of leaning) assert.notDeepEqual(findings(line), [], line);
  for (const line of fair) assert.deepEqual(findings(line), [], line);
  const found = new Set(leaning.flatMap(findings));
  assert.deepEqual([...found].sort(), Object.keys(patterns).sort());
});
