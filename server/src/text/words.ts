import { isPlain, normalize } from "./normalize.ts";

const lengthMax = 1_000;
const wordsMax = 24;
const letterMax = 48;
const separators = ",;،、，";

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

const separator = new RegExp(`[${separators}]`, "u");

/** The words of each part between commas. */
export function segmentsOf(q: string): string[][] {
  return q
    .split(separator)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

const typedToken = new RegExp(`[^\\s${separators}]+[${separators}]*`, "gu");

/** The text that some of a query's words were typed as, commas between them included. */
export function typedText(
  q: string,
  from: number,
  to: number,
  isWanted: (index: number) => boolean = () => true,
): string {
  let at = 0;
  const tokens: string[] = [];
  for (const [token] of q.matchAll(typedToken)) {
    const end = at + normalize(token).length;
    let isTaken = false;
    for (let index = Math.max(at, from); index < Math.min(end, to); index += 1) isTaken ||= isWanted(index);
    if (isTaken) tokens.push(token);
    at = end;
  }
  return tokens.join(" ").replace(new RegExp(`[${separators}]+$`, "u"), "");
}
