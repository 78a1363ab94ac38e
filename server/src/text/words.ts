import { isPlain, normalize } from "./normalize.ts";

const lengthMax = 1_000;
const wordsMax = 24;
const letterMax = 48;

/** The words a name or a query is compared by, bounded. */
export function wordsOf(text: string): string[] {
  const words = normalize(text.slice(0, lengthMax)).slice(0, wordsMax);
  return words.map((word) => word.slice(0, letterMax));
}

/** The same as one phrase, as areas and kinds of place are looked up by. */
export function phraseOf(text: string): string {
  // So short a text has neither too many words nor too long ones.
  if (text.length <= letterMax && text.length < wordsMax * 2 && isPlain(text)) return text.toLowerCase();
  return wordsOf(text).join(" ");
}
