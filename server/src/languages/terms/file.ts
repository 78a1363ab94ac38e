import type { CollectedTerms } from "./collect.ts";

/**
 * Terms as they are stored: on each line categories, the terms that mean them, and those that only are something that
 * people search them by. Terms of the latter kind that mean too many are on a line without categories.
 */
export function formatTerms({ categories, loose }: CollectedTerms): string {
  const lines = new Map<string, { named: string[]; searched: string[] }>();
  for (const term of new Set([...categories.keys(), ...loose])) {
    const key = (categories.get(term) ?? []).join(" ");
    let line = lines.get(key);
    if (!line) lines.set(key, (line = { named: [], searched: [] }));
    (loose.has(term) ? line.searched : line.named).push(term);
  }
  return [...lines].map(([ids, { named, searched }]) => `${ids}\t${named.join()}\t${searched.join()}\n`).join("");
}

export function parseTerms(text: string): CollectedTerms {
  const categories = new Map<string, string[]>();
  const loose = new Set<string>();
  for (const line of text.slice(0, -1).split("\n")) {
    const [kinds = "", named = "", searched = ""] = line.split("\t");
    const ids = kinds.split(" ");
    for (const term of listOf(named)) categories.set(term, ids);
    for (const term of listOf(searched)) {
      if (kinds !== "") categories.set(term, ids);
      loose.add(term);
    }
  }
  return { categories, loose };
}

function listOf(terms: string): string[] {
  return terms === "" ? [] : terms.split(",");
}
