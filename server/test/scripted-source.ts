import type { Source, SourcePage, SourceQuery } from "../src/sources/source.ts";
import { aPlace } from "./place.ts";

type Script = (query: SourceQuery, signal: AbortSignal) => Promise<SourcePage>;

/** A source that does what the test tells it next, and remembers what it was asked. */
export function scriptedSource(script: Script = onePlace()) {
  const told = { script, asked: [] as SourceQuery[] };
  const source: Source = {
    name: "scripted",
    search(query, signal) {
      told.asked.push(query);
      return told.script(query, signal);
    },
  };
  return { source, told };
}

/** Always the same single business. */
export function onePlace(place = aPlace()): Script {
  return async () => ({ listings: [place], verdict: "ok" });
}

export const nothing: Script = async () => ({ listings: [], verdict: "empty" });

/** Waits until it is let go, or until its signal ends the wait. */
export function heldPage(place = aPlace()) {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<unknown>();
  const script: Script = async (_query, signal) => {
    asked.resolve();
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    signal.addEventListener("abort", () => abandoned.resolve(signal.reason), { once: true });
    await Promise.race([released.promise, aborted.promise]);
    return { listings: [place], verdict: "ok" };
  };
  return { script, asked: asked.promise, abandoned: abandoned.promise, letGo: () => released.resolve() };
}
