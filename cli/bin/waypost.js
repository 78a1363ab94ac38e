#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { launch } from "./launch.js";

const words = process.argv.slice(2);
// Left to itself, V8 lets the young space grow to 128 MB: half of what a catalog may take.
const flags = words[0] === "serve" ? ["--max-semi-space-size=32"] : [];
await launch(fileURLToPath(new URL("../src/main.ts", import.meta.url)), words, flags);
