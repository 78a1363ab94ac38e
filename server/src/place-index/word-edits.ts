/** Only the beginning of a word is looked up by its deletions: the rest is compared. */
const prefixLength = 7;
const twoEditsFrom = 6;
const oneEditFrom = 4;
const wholeMax = 40;

/** How many letters are left out of a word for looking up what it may have been mistyped for. */
function deletionsOf(length: number): 0 | 1 | 2 {
  if (length < oneEditFrom) return 0;
  return length < twoEditsFrom ? 1 : 2;
}

/**
 * Numbers under which a word is found by those that are one or two edits away: of its beginning, and of that with
 * one or two letters left out.
 */
export function editKeys(word: string): number[] {
  const keys = new Set<number>();
  collect(word.slice(0, prefixLength), deletionsOf(word.length), keys);
  return [...keys];
}

/** The same of a whole phrase, for one edit anywhere in it. */
export function wholeEditKeys(phrase: string): number[] {
  if (phrase.length < oneEditFrom || phrase.length > wholeMax) return [];
  const keys = new Set<number>();
  collect(phrase, 1, keys);
  return [...keys];
}

function collect(text: string, deletions: number, keys: Set<number>): void {
  keys.add(numberOf(text));
  if (deletions === 0) return;
  for (let at = 0; at < text.length; at += 1) collect(text.slice(0, at) + text.slice(at + 1), deletions - 1, keys);
}

/** FNV-1a: words that share a number by chance are told apart by comparing them. */
function numberOf(text: string): number {
  let number = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) number = Math.imul(number ^ text.charCodeAt(at), 0x01000193);
  return number >>> 0;
}
