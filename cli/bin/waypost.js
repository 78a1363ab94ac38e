#!/usr/bin/env node
import { fileURLToPath } from "node:url";
import { launch } from "./launch.js";

await launch(fileURLToPath(new URL("../src/main.ts", import.meta.url)), process.argv.slice(2));
