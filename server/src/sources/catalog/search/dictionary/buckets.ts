/** Before a category's id, which then is a word like others, but always a common one. */
export const categoryMark = "=";
const bucketCount = 8_192;
const thirdLetters = 16;
const fourthLetters = 8;

/** Words that begin alike share a bucket: one holds all that begin with the same four letters. */
export function bucketOf(word: string): number {
  if (word.startsWith(categoryMark)) return mixed(word) & (bucketCount - 1);
  return thirdBucketOf(word) + (mixed(word, 3, 4) & (fourthLetters - 1));
}

/** The buckets of all words that begin so: of three letters they are eight, of two 128. */
export function bucketsOf(prefix: string): number[] {
  if (prefix.length > 3) return [bucketOf(prefix)];
  const [first, count] =
    prefix.length === 3
      ? [thirdBucketOf(prefix), fourthLetters]
      : [firstBucketOf(prefix), thirdLetters * fourthLetters];
  return Array.from({ length: count }, (_, index) => first + index);
}

function thirdBucketOf(word: string): number {
  return firstBucketOf(word) + (mixed(word, 2, 3) & (thirdLetters - 1)) * fourthLetters;
}

function firstBucketOf(word: string): number {
  const perFirst = thirdLetters * fourthLetters;
  return (mixed(word, 0, 2) & (bucketCount / perFirst - 1)) * perFirst;
}

/** The same number for the same category, and rarely for another. */
export function kindNumber(category: string): number {
  return mixed(category) & 65_535;
}

const signLetters = 3;

/** A bit for words that begin alike; all bits for a beginning that is too short to have one. */
export function wordSign(word: string, isPrefix: boolean): number {
  return isPrefix && word.length < signLetters ? -1 : 1 << (mixed(word, 0, signLetters) & 31);
}

/** A bit for a category; all bits for one that is so general that places are not signed with it. */
export function kindSign(category: string): number {
  return category.includes("/") ? 1 << (mixed(category) & 31) : -1;
}

/** Of the letters from one position to before another. Stored buckets, kinds and signs depend on it: it never changes. */
function mixed(text: string, from = 0, to = text.length): number {
  const end = Math.min(to, text.length);
  let hash = 2_166_136_261;
  for (let index = from; index < end; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Under which a cache keeps a bucket of a group: below zero, where no cell of a block is. */
export function postingsKey(groupCell: number, bucket: number): number {
  return -1 - (groupCell * bucketCount + bucket);
}

export function groupCellOf(key: number): number {
  return Math.floor((-1 - key) / bucketCount);
}
