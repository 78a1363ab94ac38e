import { foldedRuns, normalize, signsOf, withoutPartings } from "../text/normalize.ts";

/** What stands between a token and the one before it. */
export type Glue = "comma" | "space" | "hyphen" | "none";

/** A word, or a sign of a script without blanks, and where it was typed. */
export type Token = { norm: string; from: number; to: number; glue: Glue };

/** Longer questions are cut. */
const tokensMax = 48;
const run = /[^\s,;،、，]+/gu;
const comma = /[,;،、，]/u;

export function tokensOf(q: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of q.matchAll(run)) {
    const [typed] = match;
    const [from, to] = [match.index, match.index + typed.length];
    const before = comma.test(q.slice(end, from)) ? "comma" : "space";
    end = to;
    const runs = foldedRuns(typed).map(signsOf);
    // Signs stand where they were typed, unless folding made others of them.
    const isLikeTyped = runs.length === 1 && runs[0]?.join("").length === typed.length;
    runs.forEach((signs, atRun) => {
      let start = from;
      signs.forEach((norm, atSign) => {
        const glue = atSign > 0 ? "none" : atRun > 0 ? "hyphen" : before;
        tokens.push(isLikeTyped ? { norm, from: start, to: start + norm.length, glue } : { norm, from, to, glue });
        start += norm.length;
      });
    });
  }
  return tokens.slice(0, tokensMax);
}

/** Some of the tokens as one phrase, as the words of languages are spelled. */
export function phraseOf(tokens: readonly Token[], from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at += 1) {
    const { norm = "", glue } = tokens[at] ?? {};
    if (at > from && glue !== "none") text += " ";
    text += norm;
  }
  return withoutPartings(text);
}

/** The same as names are spelled: words without blanks are parted as a dictionary parts them. */
export function nameOf(tokens: readonly Token[], from: number, to: number): string {
  const text = phraseOf(tokens, from, to);
  return normalize(text).join(" ");
}

const separators = /[\s,;،、，]+$/u;

/** Some of the tokens as they were typed, with what stands between those side by side. */
export function typedText(q: string, tokens: readonly Token[], isWanted: (at: number) => boolean): string {
  const parts: { from: number; to: number; at: number }[] = [];
  for (const [at, { from, to }] of tokens.entries()) {
    if (!isWanted(at)) continue;
    const last = parts.at(-1);
    if (last && (last.at === at - 1 || last.to >= to)) Object.assign(last, { to: Math.max(to, last.to), at });
    else parts.push({ from, to, at });
  }
  return parts
    .map(({ from, to }) => q.slice(from, to))
    .join(" ")
    .replace(separators, "");
}
