/**
 * Words in order, as one text with the places where each begins: as many strings take five times the memory, and most of
 * them are never looked at.
 */
export type WordList = { readonly count: number; readonly text: string; readonly starts: Uint32Array };

const separator = "\n";

/** The words of a text that has each on a line of its own. */
export function readWordList(text: string, count: number): WordList {
  const starts = new Uint32Array(count + 1);
  let begun = 1;
  for (let at = 0; begun < count; at += 1) {
    if (text.charCodeAt(at) !== 10) continue;
    starts[begun] = at + 1;
    begun += 1;
  }
  starts[count] = text.length + 1;
  return { count, text, starts };
}

export function wordListOf(words: readonly string[]): WordList {
  return readWordList(words.join(separator), words.length);
}

/** Undefined after the last. */
export function wordAt({ count, text, starts }: WordList, index: number): string | undefined {
  return index < count ? text.slice(starts[index], (starts[index + 1] ?? 0) - 1) : undefined;
}

export function isWordAt(words: WordList, index: number, word: string): boolean {
  const { starts } = words;
  return beginsAt(words, index, word) && (starts[index + 1] ?? 0) - (starts[index] ?? 0) === word.length + 1;
}

/** Whether the word there begins so. */
export function beginsAt({ count, text, starts }: WordList, index: number, beginning: string): boolean {
  return index < count && text.startsWith(beginning, starts[index]);
}

/** The first position whose word is not before the one given. */
export function lowerBound(words: WordList, word: string): number {
  let low = 0;
  let high = words.count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(words, middle, word)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As strings compare, without making one. */
function isBefore({ text, starts }: WordList, index: number, word: string): boolean {
  const start = starts[index] ?? 0;
  const length = (starts[index + 1] ?? 0) - 1 - start;
  const shared = Math.min(length, word.length);
  for (let at = 0; at < shared; at += 1) {
    const difference = text.charCodeAt(start + at) - word.charCodeAt(at);
    if (difference !== 0) return difference < 0;
  }
  return length < word.length;
}

/** About how much memory it takes, of a text that has so many bytes as UTF-8. */
export function bytesOfWords({ text, starts }: WordList, utf8Bytes: number): number {
  return text.length * (utf8Bytes === text.length ? 1 : 2) + starts.byteLength;
}
