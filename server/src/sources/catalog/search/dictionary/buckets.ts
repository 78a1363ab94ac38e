/** Before a category's id, which then is a word like others, but always a common one. */
export const categoryMark = "=";
const bucketCount = 1_024;
const thirdLetters = 16;

/** Words that begin alike share a bucket: one holds all that begin with the same three letters. */
export function bucketOf(word: string): number {
  if (word.startsWith(categoryMark)) return mixed(word) & (bucketCount - 1);
  return firstBucketOf(word) + (mixed(word.slice(2, 3)) & (thirdLetters - 1));
}

/** The buckets of all words that begin so: those of two letters are in sixteen. */
export function bucketsOf(prefix: string): number[] {
  if (prefix.length > 2) return [bucketOf(prefix)];
  return Array.from({ length: thirdLetters }, (_, third) => firstBucketOf(prefix) + third);
}

function firstBucketOf(word: string): number {
  return (mixed(word.slice(0, 2)) & (bucketCount / thirdLetters - 1)) * thirdLetters;
}

/** The same number for the same category, and rarely for another. */
export function kindNumber(category: string): number {
  return mixed(category) & 65_535;
}

/** Stored buckets and kinds depend on it: it never changes. */
function mixed(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) {
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
