/**
 * Words in order, as one text with the places where each begins: as many strings take five times the memory, and most of
 * them are never looked at.
 */
export type WordList = { readonly count: number; readonly text: string; readonly starts: Uint32Array };

const lineBreak = 10;

/** The words of a text in UTF-8 that has each on a line of its own. Its bytes are read twice as fast as its characters. */
export function readWordList(utf8: Buffer, count: number): WordList {
  const text = utf8.toString("utf8");
  const starts = new Uint32Array(count + 1);
  let begun = 1;
  let length = 0;
  // By position: an iterator takes twice as long.
  for (let at = 0; at < utf8.length; at += 1) {
    const byte = utf8[at] ?? 0;
    if (!isContinuation(byte)) length += byte < fourBytesFrom ? 1 : 2;
    if (byte === lineBreak) starts[begun++] = length;
  }
  starts[count] = text.length + 1;
  return { count, text, starts };
}

/** The first byte of a character that JavaScript counts as two. */
const fourBytesFrom = 0xf0;

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

export function wordListOf(words: readonly string[]): WordList {
  const starts = new Uint32Array(words.length + 1);
  words.forEach((word, index) => (starts[index + 1] = (starts[index] ?? 0) + word.length + 1));
  return { count: words.length, text: words.join("\n"), starts };
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
