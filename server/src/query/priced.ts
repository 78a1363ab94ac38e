import { costs } from "./costs.ts";
import type { Span } from "./spans.ts";

/** A word that is only the word for a kind, a postcode or a link is rarely one of a name; on a map no name is only that. */
export function priced(spans: readonly Span[], hasMap: boolean): Span[] {
  const kinds = new Set(spans.filter(isPlainKind).map(rangeOf));
  const others = new Set(spans.filter(isNoName).map(rangeOf));
  return spans.map((span) => {
    const range = rangeOf(span);
    const isWord = span.type === "word" && (kinds.has(range) || others.has(range));
    const isName = span.type === "name" && hasMap && kinds.has(range);
    return isWord || isName ? { ...span, cost: span.cost + costs.kindWord } : span;
  });
}

function isPlainKind(span: Span): boolean {
  return span.type === "kind" && span.cost <= costs.kind.english;
}

function isNoName({ type }: Span): boolean {
  return type === "postcode" || type === "article" || type === "link";
}

function rangeOf({ from, to }: Span): string {
  return `${from} ${to}`;
}
