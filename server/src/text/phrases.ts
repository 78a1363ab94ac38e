/** How many words the longest phrase has that begins with each word. */
export function longestByFirstWord(phrases: Iterable<string>): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const phrase of phrases) {
    const { length, 0: first = "" } = phrase.split(" ");
    if (length > (longest.get(first) ?? 0)) longest.set(first, length);
  }
  return longest;
}
