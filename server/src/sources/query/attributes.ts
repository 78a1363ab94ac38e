import { type Attribute as KnownAttribute, attributes as knownAttributes } from "../../kinds/index.ts";
import { furtherLanguages, lexicon, rankedLanguages } from "../../languages/index.ts";
import { normalize } from "../../text/normalize.ts";
import { longestByFirstWord } from "../../text/phrases.ts";

/**
 * What a place may have besides its kind, by the id that the index knows it by. `open_now` is in no
 * index: it hangs on the clock.
 */
export type AttributeId = `@${Exclude<KnownAttribute, "stars">}` | "@atm" | `@stars_${1 | 2 | 3 | 4 | 5}`;

/** Collected for the first question: some phrases are taken apart letter by letter. */
let known: { byPhrase: ReadonlyMap<string, AttributeId>; longest: ReadonlyMap<string, number> } | undefined;

/** An attribute that a query names, and the bits of the words that name it. */
export type Attribute = { id: AttributeId; mask: number };

/** The attributes among the words of a query, by the longest phrases; the words in `takenMask` mean something else. */
export function readAttributes(words: readonly string[], takenMask: number): Attribute[] {
  const { byPhrase, longest } = (known ??= collect());
  const attributes: Attribute[] = [];
  for (let from = 0; from < words.length; from += 1) {
    const countMax = longest.get(words[from] ?? "") ?? 0;
    for (let count = Math.min(countMax, words.length - from); count >= 1; count -= 1) {
      const mask = ((1 << count) - 1) << from;
      if ((mask & takenMask) !== 0) continue;
      const id = byPhrase.get(count === 1 ? (words[from] ?? "") : words.slice(from, from + count).join(" "));
      if (id === undefined) continue;
      attributes.push({ id, mask });
      from += count - 1;
      break;
    }
  }
  return attributes;
}

function collect(): NonNullable<typeof known> {
  const byPhrase = new Map<string, AttributeId>();
  for (const language of [...rankedLanguages, ...furtherLanguages]) {
    for (const [phrase, id] of phrasesIn(language)) {
      const words = normalize(phrase).join(" ");
      if (!byPhrase.has(words)) byPhrase.set(words, id);
    }
  }
  return { byPhrase, longest: longestByFirstWord(byPhrase.keys()) };
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
