import { languageFor } from "../languages/index.ts";
import { annotators, type Typed } from "./annotate.ts";
import { interpretationsOf } from "./interpret.ts";
import { words } from "./words/lexicon.ts";
import { priced } from "./priced.ts";
import { coversOf } from "./solve.ts";
import type { Span } from "./spans.ts";
import { type Token, tokensOf, typedText } from "./tokens.ts";

/** A question in the words it was typed in, for services that look names up themselves. */
export type TypedQuestion = {
  categories: readonly string[];
  /** Words that mean no category: part of a name, or of where. */
  rest: string;
  /** The place that the question names outright, after a link or a comma. */
  where: string | null;
  /** The question without the place it names. */
  what: string;
};

/** Reads a question by its words alone: nobody knows yet what is called so. */
export function readTyped(q: string, hl: string): TypedQuestion {
  const tokens = tokensOf(q);
  const typed: Typed = { q, tokens, hl, languageHere: undefined };
  const spans = priced(
    annotators.flatMap((annotate) => [...annotate(typed)]),
    false,
  );
  const [best] = interpretationsOf(coversOf(tokens, spans), tokens, [languageFor(hl), "en"]);
  const read = best?.spans ?? [];
  const whereFrom = whereOf(read, tokens);
  const what = read.filter(({ to, type }) => to <= whereFrom.end && type !== "here");
  const named = what.filter(({ type }) => type === "word" || type === "house");
  const categories = [...new Set(what.flatMap((span) => (span.type === "kind" ? span.kinds : [])))];
  const text = (isWanted: (index: number) => boolean) => typedText(q, tokens, isWanted);
  return {
    categories,
    rest: text(isIn(named)),
    where: whereFrom.from === undefined ? null : text((index) => index >= (whereFrom.from ?? 0)),
    what: text(isIn(what)),
  };
}

function isIn(some: readonly Span[]): (at: number) => boolean {
  return (at) => some.some(({ from, to }) => at >= from && at < to);
}

/** Where the words of the where begin, and where those before them end. */
function whereOf(spans: readonly Span[], tokens: readonly Token[]): { from?: number; end: number } {
  for (const [at, span] of spans.entries()) {
    const next = spans.slice(at + 1).find(({ type }) => type !== "article" && type !== "filler");
    const isLink = isLinkTo(tokens[span.from]?.norm ?? "") && next !== undefined && isSomewhere(next);
    if (at > 0 && isLink && !isOf(next)) return { from: next.from, end: span.from };
    if (at > 0 && isLink) {
      const content = spans.slice(at + 1).find((each) => !isOf(each) && each.type !== "article");
      if (content && content.type !== "here") return { from: content.from, end: span.from };
    }
    if (at > 0 && tokens[span.from]?.glue === "comma") return { from: span.from, end: span.from };
  }
  return { end: tokens.length };
}

/** Whether a word ties what is wanted to where, however it was read. */
function isLinkTo(word: string): boolean {
  const meanings = words().byPhrase.get(word) ?? [];
  return meanings.some((meaning) => meaning.type === "link" && meaning.role !== "of");
}

function isSomewhere({ type }: Span): boolean {
  return type !== "here" && type !== "open";
}

function isOf(span: Span): boolean {
  return span.type === "link";
}
