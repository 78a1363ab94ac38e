/**
 * Which letters a word has, as 32 bits. One edit changes at most two of them, so words whose sets
 * differ in more than two bits per edit need not be compared letter by letter: most words of a city
 * are passed over by one exclusive or.
 */
export function letterSet(word: string): number {
  let set = 0;
  for (let index = 0; index < word.length; index += 1) set |= 1 << ((word.charCodeAt(index) * 7) & 31);
  return set | 0;
}

export function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** How many edits a word of this length may be away from what was meant. */
export function typosAllowed(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * The most edits that may lie between a word and what was meant, whichever of them is longer: two letters
 * left out of a word of eight leave six.
 */
export function typosBetween(lengthA: number, lengthB: number): number {
  const shorter = Math.min(lengthA, lengthB);
  return shorter < 6 ? typosAllowed(shorter) : typosAllowed(Math.max(lengthA, lengthB));
}

const rows = [new Uint8Array(64), new Uint8Array(64), new Uint8Array(64)] as const;

/** Edits (insert, delete, replace, swap of neighbors) from one word to another; max + 1 when more than max. */
export function editDistance(a: string, b: string, max: number): number {
  const far = max + 1;
  if (Math.abs(a.length - b.length) > max || a.length > 62 || b.length > 62) return far;
  let [before, above, current] = rows as unknown as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= b.length; column += 1) above[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - max);
    const to = Math.min(b.length, row + max);
    current[0] = row;
    if (from > 1) current[from - 1] = far;
    let least = row <= max ? row : far;
    for (let column = from; column <= to; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let edits = (above[column - 1] ?? far) + (same ? 0 : 1);
      // The cell above the band's right end was not written in this row's predecessor.
      const up = column < row + max ? (above[column] ?? far) + 1 : far;
      if (up < edits) edits = up;
      const left = (current[column - 1] ?? far) + 1;
      if (left < edits) edits = left;
      if (
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1)
      ) {
        edits = Math.min(edits, (before[column - 2] ?? far) + 1);
      }
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > max) return far;
    [before, above, current] = [above, current, before];
  }
  return Math.min(far, above[b.length] ?? far);
}
