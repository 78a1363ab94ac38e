import { ConflictingCredentials } from "./errors.ts";

/** The headers that carry a bare key, beside `Authorization: Bearer`. */
const keyHeaders: ReadonlySet<string> = new Set(["api-key"]);
export const agentKeyHeaders: ReadonlySet<string> = new Set(["api-key", "svc-api-key", "x-api-key"]);

/**
 * The one key of a request, from the named headers or `Authorization: Bearer`. Read from the raw
 * list: Node joins or drops headers that come twice, and a second, different key must not pass
 * unseen.
 */
export function presentedKey(
  { rawHeaders }: { rawHeaders: readonly string[] },
  names: ReadonlySet<string> = keyHeaders,
): string | undefined {
  let found: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const key = keyInHeader((rawHeaders[at] ?? "").toLowerCase(), rawHeaders[at + 1] ?? "", names);
    if (key === undefined) continue;
    if (found !== undefined && found !== key) throw ConflictingCredentials();
    found = key;
  }
  return found;
}

function keyInHeader(name: string, value: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name)) return value.trim() || undefined; // an empty header presents nothing
  if (name !== "authorization") return undefined;
  return /^bearer +(.*)$/i.exec(value)?.[1]?.trim() || undefined;
}
