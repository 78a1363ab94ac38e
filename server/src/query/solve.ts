import { costs } from "./costs.ts";
import type { Span } from "./spans.ts";
import type { Token } from "./tokens.ts";

/** Spans side by side that stand for all tokens. */
export type Cover = { cost: number; spans: readonly Span[] };

const beam = 64;

/** The cheapest ways to read all tokens, from the first on. */
export function coversOf(tokens: readonly Token[], spans: readonly Span[]): Cover[] {
  const byStart = Map.groupBy(spans, ({ from }) => from);
  const inside = tokens.map((_, at) => spans.some((span) => isKnown(span) && span.from < at && at < span.to));
  const covers: Cover[][] = Array.from({ length: tokens.length + 1 }, () => []);
  covers[0] = [{ cost: 0, spans: [] }];
  for (let at = 0; at < tokens.length; at += 1) {
    for (const cover of cheapest(covers[at] ?? [])) {
      for (const span of byStart.get(at) ?? []) {
        const split = inside[span.to] === true ? costs.split : 0;
        const cost = cover.cost + span.cost + split + besides(cover.spans.at(-1), span);
        covers[span.to]?.push({ cost, spans: [...cover.spans, span] });
      }
    }
  }
  return cheapest(covers[tokens.length] ?? []);
}

/** What several tokens mean together, they mean rather than each by itself. */
function isKnown(span: Span): boolean {
  if (span.cost >= costs.own || span.type === "name") return false;
  if (span.type === "area") return span.area.places > 0 && span.cost < costs.area.misspelled;
  return span.type !== "word" && span.type !== "house" && span.type !== "distance";
}

function cheapest(covers: readonly Cover[]): Cover[] {
  return covers.toSorted((one, other) => one.cost - other.cost).slice(0, beam);
}

function isOpenNow(span: Span | undefined): boolean {
  return span?.type === "attribute" && span.id === "@open_now";
}

/** What it costs to read a span behind another. */
function besides(before: Span | undefined, span: Span): number {
  const mayOpen = before?.type === "open" || before?.type === "link" || isOpenNow(before);
  if (span.type === "open" && span.cost === costs.time && mayOpen) return costs.timeLinked - costs.time;
  const isFurther = before?.type === "word" && span.type === "word" && span.places > 0 && before.places > 0;
  return isFurther ? costs.word.further - costs.word.known : 0;
}
