import { stripVTControlCharacters, styleText } from "node:util";

/*
 * Text of listings comes from strangers. Printed raw it could move the cursor, set the window's title, or turn
 * the reading direction around, so that a line reads other than it is.
 */

// Controls, line and paragraph separators, and what changes the direction of text.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Text on one line that does nothing to a terminal but stand there; escape sequences go as a whole. */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\t\n\r]+/g, " ")
    .replaceAll(unprintable, "");
}

/** JSON in which everything that could act on a terminal is escaped; it parses to the same data. */
export function printableJson(data: unknown): string {
  // JSON escapes the lower controls by itself; the line breaks that remain are those of the layout.
  return JSON.stringify(data, null, 2).replaceAll(
    /[\u007f-\u009f\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

type Style = "bold" | "red" | "yellow" | "green";

/** Text with a style, where the stream is a terminal that shows styles and NO_COLOR is not set. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// Two columns wide in terminals: East Asian scripts, full-width forms, emoji.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;
const invisible = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += invisible.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return width;
}

/** Cuts text that is wider than so many columns, and marks the cut. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
