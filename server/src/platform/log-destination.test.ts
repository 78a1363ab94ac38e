import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { closeSync, constants, existsSync, openSync, readSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { makeTempFolder, removeFolder } from "../../test/temp-folder.ts";
import { createLogDestination } from "./log-destination.ts";

const run = promisify(execFile);
const isFullDiskThere = existsSync("/dev/full");

test(
  "a process whose log is on a full disk goes on, and ends when it is told to",
  { skip: !isFullDiskThere },
  async () => {
    const { stdout } = await runLogging(`
    for (let line = 0; line < 1_000; line += 1) log.info({ line }, "request.finished");
    for (let reads = 0; reads < 100; reads += 1) await readFile("/dev/null"); // the first batch fails meanwhile
    console.log("serving");
    flush();
    process.exit(0);
  `);

    assert.equal(stdout, "serving\n");
  },
);

test("a line that a crash left is written at the end", async (t) => {
  const path = join(await openFolder(t), "log");

  await assert.rejects(runLogging(`log.info({}, "last.words"); throw new Error("a crash");`, path));

  assert.match(await readFile(path, "utf8"), /last\.words/);
});

test("lines wait for a reader that does not read, and those that found no room are counted", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { reader, writer } = await openFullPipe(t);
  const told: number[] = [];
  const destination = createLogDestination(writer, { waitingMax: 8, onDropped: (lines) => told.push(lines) });
  for (const line of ["one\n", "two\n", "three\n", "four\n"]) destination.write(line);
  t.mock.timers.tick(250);

  let text = "";
  for (let looks = 0; looks < 10_000 && told.length === 0; looks += 1) {
    text = (text + readWaiting(reader)).slice(-100);
    t.mock.timers.tick(250);
    await setImmediate();
  }

  assert.match(text + readWaiting(reader), /x\bone\ntwo\n$|xone\ntwo\n$/);
  assert.deepEqual(told, [2]);
});

async function runLogging(body: string, logPath = "/dev/full") {
  const script = `
    import { readFile } from "node:fs/promises";
    import { createLog } from ${JSON.stringify(new URL("./log.ts", import.meta.url).href)};
    const { log, flush } = createLog("info", false);
    ${body}
  `;
  const command = `exec "$0" --input-type=module -e "$1" 2> "$2"`;
  return run("sh", ["-c", command, process.execPath, script, logPath], { timeout: 20_000 });
}

async function openFolder(t: TestContext): Promise<string> {
  const folder = await makeTempFolder();
  t.after(() => removeFolder(folder));
  return folder;
}

async function openFullPipe(t: TestContext) {
  const path = join(await openFolder(t), "pipe");
  await run("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.after(() => [reader, writer].forEach((descriptor) => closeSync(descriptor)));
  for (const size of [4096, 1]) while (isWritten(writer, "x".repeat(size)));
  return { reader, writer };
}

function isWritten(descriptor: number, text: string): boolean {
  try {
    return writeSync(descriptor, text) > 0;
  } catch {
    return false;
  }
}

function readWaiting(descriptor: number): string {
  const bytes = Buffer.alloc(1024 * 1024);
  try {
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } catch {
    return "";
  }
}
