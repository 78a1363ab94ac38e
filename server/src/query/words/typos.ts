import { isLoose, termsOf } from "../../languages/index.ts";
import { bitsOf, editDistance, letterSet, typosAllowed } from "../../text/edit-distance.ts";
import { memoizeByObject } from "../../platform/memoize.ts";
import { costs } from "../costs.ts";
import type { Span } from "../spans.ts";

type Terms = ReturnType<typeof termsOf>;
/** Terms of one length, and the letters of each in a list of their own: most terms are passed over by those. */
type SpelledTerms = { sets: Int32Array; spelled: readonly (readonly [string, readonly string[]])[] };
const noTerms: SpelledTerms = { sets: new Int32Array(), spelled: [] };

/** Kinds of place that are spelled almost so. */
export function misspelledKinds(
  phrase: string,
  languages: readonly string[],
  at: { from: number; to: number },
): Span[] {
  const allowed = typosAllowed(phrase.length);
  if (allowed === 0) return [];
  const letters = letterSet(phrase);
  const spans: Span[] = [];
  for (const language of languages) {
    const terms = termsOf(language);
    const byLength = spelledTermsOf(terms);
    for (let length = phrase.length - allowed; length <= phrase.length + allowed; length += 1) {
      const { sets, spelled } = byLength[length] ?? noTerms;
      for (let index = 0; index < sets.length; index += 1) {
        if (bitsOf((sets[index] ?? 0) ^ letters) > allowed * 2) continue;
        const [term, kinds] = spelled[index] ?? ["", []];
        if (isLoose(terms, term)) continue;
        const edits = editDistance(phrase, term, allowed);
        if (edits < 1 || edits > allowed) continue;
        const cost = costs.kind.misspelled[edits] ?? Infinity;
        spans.push({ type: "kind", kinds, languages: [language], isLoose: false, ...at, cost, why: `for ${term}` });
      }
    }
  }
  const least = Math.min(...spans.map(({ cost }) => cost));
  return spans.filter(({ cost }) => cost === least).slice(0, 1);
}

const spelledTermsOf = memoizeByObject((terms: Terms): SpelledTerms[] => {
  const byLength: SpelledTerms[] = [];
  for (const [length, spelled] of Map.groupBy(terms, ([term]) => term.length)) {
    byLength[length] = { sets: Int32Array.from(spelled, ([term]) => letterSet(term)), spelled };
  }
  return byLength;
});
