import { readFileSync } from "node:fs";

/** What kind of place: the tags that make it, and how much the schema trusts the match. */
export type Preset = { tags: Record<string, string>; score?: number; hidden?: boolean };

/** Written by scripts/tagging-schema.ts. */
export const presets: ReadonlyMap<string, Preset> = new Map(
  Object.entries<Preset>(JSON.parse(readFileSync(new URL("presets.json", import.meta.url), "utf8"))),
);
