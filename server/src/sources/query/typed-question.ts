import { withoutHere } from "./here.ts";
import { isPreposition, linking } from "./links.ts";
import { isOtherPreposition } from "./other-prepositions.ts";
import { readWhat } from "./question.ts";
import { splitsOf } from "./split.ts";
import { segmentsOf, typedText } from "../../text/words.ts";

/** A query taken apart, in the words it was typed in: Nominatim and Overpass compare those. */
export type Question = {
  categories: readonly string[];
  /** Words that mean no category: part of a name, or of where. */
  rest: string;
  /** The place that the query names outright, after a preposition or a comma. */
  where: string | null;
  /** The query without the place it names. */
  what: string;
};

export function readQuestion(q: string, hl: string): Question {
  const text = withoutHereTyped(q.toWellFormed());
  const segments = segmentsOf(text);
  const all = segments.flat();
  const [marked] = splitsOf(segments, (word) => isPreposition(word, hl) || isOtherPreposition(word, hl));
  const isMarked = marked && (marked.mark === "preposition" || marked.mark === "comma") && marked.what.length > 0;
  let from = isMarked ? marked.whereFrom : all.length;
  const whatEnd = isMarked && marked.mark === "preposition" ? marked.what.length : from;
  while (from < all.length - 1 && linking.has(all[from] ?? "")) from += 1;

  const question = readWhat(all.slice(0, whatEnd), hl);
  const { skipped = 0 } = question;
  const isRest = (index: number) => (question.restMask & (1 << (index - skipped))) !== 0;
  return {
    categories: question.categories,
    rest: typedText(text, skipped, skipped + question.words.length, isRest),
    where: isMarked ? typedText(text, from, all.length) : null,
    what: isMarked ? typedText(text, 0, whatEnd) : text,
  };
}

/** "Near me" names no place that Nominatim could find: it means what the map shows. */
function withoutHereTyped(q: string): string {
  const words = segmentsOf(q).flat();
  const rest = withoutHere(words);
  if (!rest || rest.length === 0) return q;
  const from = words.length - rest.length;
  const isAtEnd = rest.every((word, index) => word === words[index]);
  return isAtEnd ? typedText(q, 0, rest.length) : typedText(q, from, words.length);
}
