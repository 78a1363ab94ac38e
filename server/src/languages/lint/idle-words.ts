import { type LanguageFile, wholeLanguage } from "../compile/read-files.ts";
import { type Meaning, meaningsIn, ranks } from "../terms/collect.ts";

/** The words for kinds of a file without which its terms would be the same. */
export function* idleWords(file: LanguageFile, files: readonly LanguageFile[]): Iterable<string> {
  const meanings = [...meaningsIn(file.tag, wholeLanguage(file, files))];
  const byTerm = Map.groupBy(meanings, ({ term }) => term);
  const needed = new Set<string | undefined>();
  for (const { term, word } of meanings) {
    if (word === undefined || needed.has(word)) continue;
    const all = byTerm.get(term) ?? [];
    if (resultOf(all) !== resultOf(all.filter((each) => each.word !== word))) needed.add(word);
  }
  const stated = Object.values(file.content.kinds ?? {}).flat();
  yield* stated.filter((word) => !needed.has(word));
}

/** What a term means after all: the surest meanings hide the others. */
function resultOf(meanings: readonly Meaning[]): string {
  const surest = Math.min(...meanings.map(({ rank }) => rank));
  const ids = new Set(meanings.flatMap((meaning) => (meaning.rank === surest ? meaning.ids : [])));
  // Everyday words and their plurals do not differ in what becomes of them.
  return [Math.max(surest, ranks.everydayPlural), ...ids].join(" ");
}
