import { linking, nearness, prepositions } from "./links.ts";

/** One way to part the words of a question into what and where. */
export type Split = {
  what: readonly string[];
  /** The same with words at its end that may belong to a preposition: "salon de thé", "fai da te". */
  fullWhat: readonly string[];
  where: readonly string[];
  /** What parts them: a preposition, a comma, nothing at all, or there is no what. */
  mark: "preposition" | "comma" | "beside" | "whole";
  /** The position of the first word of where among all words of the question. */
  whereFrom: number;
  /** How many words of what stand before the where, when others stand behind it. */
  whatBefore?: number;
  /** Whether those say that something is to be near: "hotel near Kotor bus station". */
  isNear?: boolean;
};

/** Whether a word is a preposition in one of the languages read. */
const isRead = (word: string): boolean => prepositions.has(word);

const besideWordsMax = 6;

/** Every way to part a question, the likelier first; whether a where exists is for others to say. */
export function* splitsOf(segments: readonly (readonly string[])[], isPreposition = isRead): Iterable<Split> {
  const [first = [], second] = segments;
  for (let at = first.length - 2; at >= 0; at -= 1) {
    if (!isPreposition(first[at] ?? "")) continue;
    const fullWhat = first.slice(0, at);
    const what = withoutLinking(fullWhat, isPreposition);
    yield { what, fullWhat, where: first.slice(at + 1), mark: "preposition", whereFrom: at + 1 };
  }
  if (second) {
    const others = segments.slice(1).flat();
    yield { what: first, fullWhat: first, where: second, mark: "comma", whereFrom: first.length };
    yield { what: others, fullWhat: others, where: first, mark: "comma", whereFrom: 0 };
    return;
  }
  yield { what: [], fullWhat: [], where: first, mark: "whole", whereFrom: 0 };
  for (let count = Math.min(besideWordsMax, first.length - 1); count >= 1; count -= 1) {
    const end = first.length - count;
    const [fullWhat, after] = [first.slice(0, end), first.slice(count)];
    yield { what: withoutLinking(fullWhat), fullWhat, where: first.slice(end), mark: "beside", whereFrom: end };
    yield { what: after, fullWhat: after, where: first.slice(0, count), mark: "beside", whereFrom: 0 };
  }
}

const innerWordsMax = 5;

/**
 * Ways to part a question whose where has other words behind it: "dentist in Kotor please", "cafes Limassol
 * 3036". The longest and first comes first; what stands behind it belongs to the what.
 */
export function* innerSplitsOf(words: readonly string[], isPreposition = isRead): Iterable<Split> {
  for (let count = Math.min(innerWordsMax, words.length - 2); count >= 1; count -= 1) {
    for (let from = 1; from + count < words.length; from += 1) {
      if (isPreposition(words[from] ?? "")) continue;
      const linked = words.slice(0, from);
      const before = withoutLinking(linked, isPreposition);
      const what = [...before, ...words.slice(from + count)];
      const mark = isPreposition(words[from - 1] ?? "") ? "preposition" : "beside";
      const where = words.slice(from, from + count);
      const isNear = linked.slice(before.length).some((word) => nearness.has(word));
      yield { what, fullWhat: what, where, mark, whereFrom: from, whatBefore: before.length, isNear };
    }
  }
}

/** Without what belongs to a longer preposition: `pizza close` [to Vaduz]. */
function withoutLinking(words: readonly string[], isPreposition = isRead): readonly string[] {
  let end = words.length;
  while (end > 1 && (isPreposition(words[end - 1] ?? "") || linking.has(words[end - 1] ?? ""))) end -= 1;
  return words.slice(0, end);
}
