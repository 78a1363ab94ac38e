/** What a sorted number has room for beside six bytes of a word. */
const wordsMax = 65_536;
const latinMax = 255;
const fewMax = 16;

/**
 * The positions of different words in the order of `sort()`. The beginning of each word and its position make one number of 64 bits,
 * which the engine sorts natively; only words that begin alike are compared.
 */
export function sortedPositions(words: readonly string[]): Uint32Array {
  const count = words.length;
  if (count > wordsMax) return sortCompared(new Uint32Array(words.keys()), words);
  const halves = new Uint32Array(count * 2);
  const begin = words.every(isLatinBegin) ? latinBegin : anyBegin;
  for (let position = 0; position < count; position += 1) begin(words[position] ?? "", halves, position);
  new BigUint64Array(halves.buffer).sort();
  const positions = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) positions[at] = (halves[at * 2] ?? 0) & 0xff_ff;
  for (let from = 0, to = 1; to <= count; to += 1) {
    if (to < count && beginAlike(halves, from, to)) continue;
    if (to - from > 1) sortCompared(positions.subarray(from, to), words);
    from = to;
  }
  return positions;
}

/** In place. Of a few, moving each to where it belongs takes less than calling back from the engine. */
function sortCompared(positions: Uint32Array, words: readonly string[]): Uint32Array {
  if (positions.length > fewMax) {
    return positions.sort((one, other) => ((words[one] ?? "") < (words[other] ?? "") ? -1 : 1));
  }
  for (let at = 1; at < positions.length; at += 1) {
    const position = positions[at] ?? 0;
    const word = words[position] ?? "";
    let to = at;
    for (; to > 0 && (words[positions[to - 1] ?? 0] ?? "") > word; to -= 1) positions[to] = positions[to - 1] ?? 0;
    positions[to] = position;
  }
  return positions;
}

function isLatinBegin(word: string): boolean {
  for (let index = 0; index < 6 && index < word.length; index += 1) {
    if (word.charCodeAt(index) > latinMax) return false;
  }
  return true;
}

/** Six letters of a byte each; a word that ends earlier comes before those that go on. */
function latinBegin(word: string, halves: Uint32Array, position: number) {
  const { length } = word;
  const letter = (index: number) => (index < length ? word.charCodeAt(index) : 0);
  halves[position * 2 + 1] = (letter(0) << 24) | (letter(1) << 16) | (letter(2) << 8) | letter(3);
  halves[position * 2] = (letter(4) << 24) | (letter(5) << 16) | position;
}

/** Three letters of two bytes each. */
function anyBegin(word: string, halves: Uint32Array, position: number) {
  const { length } = word;
  const letter = (index: number) => (index < length ? word.charCodeAt(index) : 0);
  halves[position * 2 + 1] = (letter(0) << 16) | letter(1);
  halves[position * 2] = (letter(2) << 16) | position;
}

function beginAlike(halves: Uint32Array, one: number, other: number): boolean {
  return (
    halves[one * 2 + 1] === halves[other * 2 + 1] && (halves[one * 2] ?? 0) >>> 16 === (halves[other * 2] ?? 0) >>> 16
  );
}
