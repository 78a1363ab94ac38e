import { type Clock, elapsedMs } from "../../platform/clock.ts";

/** Remembers so many things for so long; the one not used for longest goes first. */
export function createCache<Value>({ clock, entriesMax, ageMs }: { clock: Clock; entriesMax: number; ageMs: number }) {
  const entries = new Map<string, { value: Value; until: number }>();

  function get(key: string): Value | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    if (entry.until <= elapsedMs(clock)) return undefined;
    entries.set(key, entry); // a map keeps the order of arrival: what was used comes last again
    return entry.value;
  }

  function set(key: string, value: Value): void {
    entries.delete(key);
    entries.set(key, { value, until: elapsedMs(clock) + ageMs });
    const [oldest] = entries.keys();
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
  }

  return { get, set };
}
