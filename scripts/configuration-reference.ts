// Writes the table of docs/reference/configuration.md from the settings: `npm run configuration`.
import { readFile, writeFile } from "node:fs/promises";
import { settings } from "../server/src/service/config/config.ts";

const path = new URL("../docs/reference/configuration.md", import.meta.url);
const rows = Object.values(settings).map(
  ({ name, fallback, about }) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ""} | ${about} |`,
);
const lines = (await readFile(path, "utf8")).split("\n");
const first = lines.findIndex((line) => line.startsWith("|---"));
const last = lines.findLastIndex((line) => line.startsWith("|"));
await writeFile(path, [...lines.slice(0, first + 1), ...rows, ...lines.slice(last + 1)].join("\n"));
console.log("Wrote docs/reference/configuration.md");
