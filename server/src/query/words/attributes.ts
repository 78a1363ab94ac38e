import { type Attribute as KnownAttribute, attributes as knownAttributes } from "../../kinds/index.ts";
import { furtherLanguages, lexicon, rankedLanguages } from "../../languages/index.ts";
import { foldedRuns, withoutPartings } from "../../text/normalize.ts";

/**
 * What a place may have besides its kind, by the id that the index knows it by. `open_now` is in no
 * index: it hangs on the clock.
 */
export type AttributeId = `@${Exclude<KnownAttribute, "stars">}` | "@atm" | `@stars_${1 | 2 | 3 | 4 | 5}`;

/** What attributes are called in all languages. */
export function attributesByPhrase(): ReadonlyMap<string, AttributeId> {
  const byPhrase = new Map<string, AttributeId>();
  for (const language of [...rankedLanguages, ...furtherLanguages]) {
    for (const [phrase, id] of phrasesIn(language)) {
      const words = withoutPartings(foldedRuns(phrase).join(" "));
      if (!byPhrase.has(words)) byPhrase.set(words, id);
    }
  }
  return byPhrase;
}

/** The phrases of a language; those for stars once for each number, in digits and in words. */
function* phrasesIn(language: string): Iterable<[phrase: string, id: AttributeId]> {
  const { attributes = {}, numbers = [] } = lexicon.get(language) ?? {};
  for (const attribute of knownAttributes) {
    for (const phrase of attributes[attribute] ?? []) {
      if (attribute !== "stars") {
        yield [phrase, `@${attribute}`];
        continue;
      }
      for (const number of [1, 2, 3, 4, 5] as const) {
        yield [phrase.replace("#", String(number)), `@stars_${number}`];
        const word = numbers[number - 1];
        if (word !== undefined) yield [phrase.replace("#", word), `@stars_${number}`];
      }
    }
  }
}
