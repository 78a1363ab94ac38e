import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import readXlsx from "read-excel-file/node";
import { defer } from "../server/test/defer.ts";
import { startHttp } from "../server/test/local-servers.ts";
import {
  type Environment,
  inherited,
  newDataFolder,
  newPreparedFolder,
  root,
  run,
  startService,
  until,
} from "./service.ts";

const sample = join(root, "server/data/sample/liechtenstein.osm.pbf");
const andorra = join(root, "../shared/data/osm/andorra-2025.osm.pbf");

// Each command of the guide runs as it stands there. The extract and the port come from this machine.
test("every command of the first ten minutes works, without a network", async (t) => {
  const port = await freePort();
  const guide = (await readFile(join(root, "docs/guides/first-ten-minutes.md"), "utf8")).replaceAll(
    "3000",
    String(port),
  );
  const [start, ...commands] = blocks(guide, "sh").flatMap((block) => block.trim().split("\n"));
  const [receiver = ""] = blocks(guide, "js");
  const stage = await startStage(t);
  await writeFile(join(stage.folder, "receiver.mjs"), receiver);

  assert.equal(start, "npm ci && npm start");
  const outputs = new Map<string, string>();
  for (const line of commands) outputs.set(line, await perform(t, line, stage));

  const outputOf = (part: string) => [...outputs].find(([line]) => line.includes(part))?.[1] ?? "";
  assert.match(outputOf("search coffee in Vaduz"), /^Café Amann .*\+423 232 34 11/m);
  assert.match(outputOf("catalog explain"), /^Cafe in Vaduz /);
  assert.match(outputOf("collect restaurants"), /Wrote restaurants\.xlsx: \d+ rows/);
  assert.match(await readFile(join(stage.folder, "coverage.svg"), "utf8"), /^<svg/);
  const [sheet] = await readXlsx(join(stage.folder, "restaurants.xlsx"));
  const [heading = [], ...rows] = sheet?.data ?? [];
  assert.deepEqual(heading.slice(0, 2), ["name", "category"]);
  assert.ok(rows.length > 10);
  await until(() => stage.printed().includes("scrape.completed"));
  assert.match(outputOf("catalog list"), /andorra/);
  if (existsSync(andorra)) assert.match(outputOf("Andorra la Vella"), /Andorra/);
});

/** What stands in the fenced blocks of a language. */
function blocks(markdown: string, language: string): string[] {
  return Array.from(
    markdown.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, "gm")),
    ([, inside = ""]) => inside,
  );
}

type Stage = Awaited<ReturnType<typeof startStage>>;

/** A service with the sample, a folder to work in, and the program as `npx waypost`. */
async function startStage(t: TestContext) {
  const folder = await newDataFolder(t);
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "npx"), `#!/bin/sh\nshift\nexec "${process.execPath}" "${root}/cli/bin/waypost.js" "$@"\n`);
  await chmod(join(bin, "npx"), 0o755);
  const extract = await readFile(existsSync(andorra) ? andorra : sample);
  const { port } = await startHttp(t, (_, response) => response.end(extract));
  const environment: Environment = {
    WAYPOST_DATA_DIR: await newPreparedFolder(t),
    WAYPOST_OUTBOUND_ALLOW: "imports=127.0.0.0/8",
    HOME: folder,
    PATH: `${bin}:${inherited["PATH"] ?? ""}`,
  };
  const service = await startService(t, environment);
  const [key = ""] = /svc_live_\w+/.exec(service.output) ?? [];
  const client = { ...environment, WAYPOST_URL: service.address, WAYPOST_API_KEY: key };
  const imported = await run("npx", ["waypost", "catalog", "import", sample, "--name", "sample"], client);
  assert.equal(imported.code, 0, imported.stderr);
  let background = "";
  const hears = (child: ChildProcess) => {
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (background += String(part)));
  };
  return { folder, client, extracts: `http://127.0.0.1:${port}/`, hears, printed: () => background };
}

/** Runs a line of the guide; resolves to what it printed, of one that ends with `&` once it is up. */
async function perform(t: TestContext, line: string, stage: Stage): Promise<string> {
  const { folder, client, extracts } = stage;
  if (line.endsWith(" &")) {
    const words = ["-c", `exec ${line.slice(0, -2)}`];
    const child = spawn("sh", words, {
      cwd: folder,
      env: { ...inherited, ...client },
      stdio: ["ignore", "pipe", "pipe"],
    });
    defer(t, () => child.kill("SIGKILL"));
    stage.hears(child);
    if (line.includes("listen")) await until(() => stage.printed().includes("They are signed with"));
    return "";
  }
  const { code, stdout, stderr } = await run(
    "sh",
    ["-c", line.replace("catalog add", `catalog add --base ${extracts}`)],
    client,
    folder,
  );
  assert.equal(code, 0, `${line}\n${stderr}`);
  return stdout;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}
