/** Characters as JSON Schema counts them: code points, so that an emoji is one and not two. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** At most so many characters, counted as code points, so that none is cut in half. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count === charactersMax) break;
    end += character.length;
    count += 1;
  }
  return text.slice(0, end);
}

/** What is said of a text that is not. */
export const storableRule = "must be text without NUL or unpaired surrogates";

/** Whether PostgreSQL can keep the text as it is: without NUL, and without halves of characters. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && text.isWellFormed();
}

/** Text without the one character that PostgreSQL cannot keep, and without halves of characters. */
export function storableText(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "").toWellFormed() : text.toWellFormed();
}
