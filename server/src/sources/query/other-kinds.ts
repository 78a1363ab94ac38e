import { isLoose, rankedLanguages, termsOf } from "../../languages/index.ts";
import { fillers } from "./links.ts";
import { type Question, withKind } from "./question.ts";

const kindsMax = 4;
/** A shorter word of another language is too often a word of this one: "pan", "pub", "spa". */
const foreignLettersMin = 4;

/**
 * What else the words of a question may mean: the same words in another language, and other kinds of place
 * among the words that the first reading has no use for. For who found nothing by that.
 */
export function otherKinds({ words, restMask, categories }: Question, hl: string): Question[] {
  const found: Question[] = [];
  let taken = 0;
  let readMask = 0;
  words.forEach((word, index) => {
    if ((restMask & (1 << index)) === 0 && !fillers.has(word)) readMask |= 1 << index;
  });
  for (let count = words.length; count >= 1; count -= 1) {
    for (let from = 0; from + count <= words.length; from += 1) {
      const mask = ((1 << count) - 1) << from;
      const isRest = (mask & restMask) === mask && (mask & taken) === 0;
      const isRead = (mask & restMask) === 0 && (readMask & ~mask) === 0;
      if (!isRest && !isRead) continue;
      const others = meaningsOf(words.slice(from, from + count).join(" "), hl).filter((id) => !categories.includes(id));
      if (others.length === 0) continue;
      taken |= mask;
      found.push(withKind(words, others, from, count));
      if (found.length === kindsMax) return found;
    }
  }
  return found;
}

/** The categories that a phrase means in any language that questions are read in; what is merely searched by it, in its own. */
function meaningsOf(phrase: string, hl: string): string[] {
  const own = [hl, "en"].flatMap((language) => termsOf(language).get(phrase) ?? []);
  if (phrase.length < foreignLettersMin) return [...new Set(own)];
  const foreign = rankedLanguages
    .map((language) => termsOf(language))
    .flatMap((terms) => (isLoose(terms, phrase) ? [] : (terms.get(phrase) ?? [])));
  return [...new Set([...own, ...foreign])];
}
