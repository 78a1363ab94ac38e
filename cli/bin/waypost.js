#!/usr/bin/env node
// The sources are TypeScript, and their packages want Node 22.19 or newer. An older Node hands over to
// the one that npm installed beside this command.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const runsTypeScript = major > 22 || (major === 22 && minor >= 19);
const main = new URL("../src/main.ts", import.meta.url);

if (runsTypeScript) {
  await import(main.href);
} else {
  process.exitCode = handOver();
}

function handOver() {
  let node;
  try {
    node = createRequire(import.meta.url).resolve("node/bin/node");
  } catch {
    console.error(`waypost needs Node 22.19 or newer; this is ${process.versions.node}.`);
    return 1;
  }
  const { status } = spawnSync(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" });
  return status ?? 1;
}
