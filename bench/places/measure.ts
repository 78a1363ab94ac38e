/** `--places 100000` as a number, or what it is when not given. */
export function numberAfter(words: readonly string[], flag: string, fallback: number): number {
  const at = words.indexOf(flag);
  return at < 0 ? fallback : Number(words[at + 1]);
}
