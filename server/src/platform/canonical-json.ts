import { createHash } from "node:crypto";

/** JSON with the names of every object in order: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Stands for a request: equal ones have the same. */
export function fingerprintOf(request: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(request)).digest();
}
