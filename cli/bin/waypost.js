#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { launch } from "./launch.js";
import { serviceFlags } from "./service-flags.js";

const words = process.argv.slice(2);
const flags = words[0] === "serve" ? serviceFlags : [];
await launch(fileURLToPath(new URL("../src/main.ts", import.meta.url)), words, flags);
