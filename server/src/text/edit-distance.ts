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
  // What both begin and end with costs no edit, and little is left of most words that are alike.
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a.charCodeAt(start) === b.charCodeAt(start)) start += 1;
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const longer = Math.max(endA, endB) - start;
  if (longer <= 1) return longer;
  if (max <= 1) return max === 1 && isSwap(a, b, start, endA, endB) ? 1 : far;
  if (max === 2 && Math.min(endA, endB) - start >= twoEditsApart) {
    // The first letters differ and so do the last: with an edit at each end, what lies between is the same.
    if (!areShifted(a, b, start, start, 1) || !areShifted(a, b, endA - 1, endB - 1, -1)) return far;
  }
  return distanceBetween(a, b, start, endA, endB, max);
}

/** In parts of this length, one edit does not reach from one end to the other. */
const twoEditsApart = 5;

/** Whether one edit of the letters at these positions lets the next ones, in this direction, be the same. */
function areShifted(a: string, b: string, atA: number, atB: number, direction: 1 | -1): boolean {
  const nextA = a.charCodeAt(atA + direction);
  const nextB = b.charCodeAt(atB + direction);
  return nextA === nextB || nextA === b.charCodeAt(atB) || nextB === a.charCodeAt(atA);
}

function isSwap(a: string, b: string, start: number, endA: number, endB: number): boolean {
  if (endA - start !== 2 || endB - start !== 2) return false;
  return a.charCodeAt(start) === b.charCodeAt(start + 1) && a.charCodeAt(start + 1) === b.charCodeAt(start);
}

/** The same of the parts from `start` to the ends. */
function distanceBetween(a: string, b: string, start: number, endA: number, endB: number, max: number): number {
  const far = max + 1;
  const lengthA = endA - start;
  const lengthB = endB - start;
  const before = start - 1;
  let [earlier, above, current] = rows as unknown as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= lengthB; column += 1) above[column] = column;
  for (let row = 1; row <= lengthA; row += 1) {
    const from = Math.max(1, row - max);
    const to = Math.min(lengthB, row + max);
    const letter = a.charCodeAt(before + row);
    current[0] = row;
    if (from > 1) current[from - 1] = far;
    let least = row <= max ? row : far;
    for (let column = from; column <= to; column += 1) {
      const other = b.charCodeAt(before + column);
      let edits = (above[column - 1] ?? far) + (letter === other ? 0 : 1);
      // The cell above the band's right end was not written in this row's predecessor.
      const up = column < row + max ? (above[column] ?? far) + 1 : far;
      if (up < edits) edits = up;
      const left = (current[column - 1] ?? far) + 1;
      if (left < edits) edits = left;
      if (
        row > 1 &&
        column > 1 &&
        letter === b.charCodeAt(before + column - 1) &&
        other === a.charCodeAt(before + row - 1)
      ) {
        edits = Math.min(edits, (earlier[column - 2] ?? far) + 1);
      }
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > max) return far;
    [earlier, above, current] = [above, current, earlier];
  }
  return Math.min(far, above[lengthB] ?? far);
}
