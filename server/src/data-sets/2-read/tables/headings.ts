import { furtherLanguages, lexicon, rankedLanguages, type TableField } from "../../../languages/index.ts";

/**
 * What tables call a column, the most telling first: the first words of all languages before the second ones. Blanks,
 * case, accents and signs do not count.
 */
export function headingsOf(field: TableField): string[] {
  const lists = [...rankedLanguages, ...furtherLanguages].map((tag) => lexicon.get(tag)?.headings?.[field] ?? []);
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((words) => words[at] ?? [])).flat();
}
