import { openCurrent } from "../../place-index/file/index.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { readingOf, sentenceOf, spanText } from "../../query/trace.ts";
import { createIndexSearch } from "./search/index.ts";

export type ExplainRequest = { q: string; hl: string; ll: string | undefined; gl: string | undefined };

/** How a question is read, what is searched for it, and what comes first; null where this machine has no index yet. */
export type Explanation = {
  reading: string;
  tokens: readonly string[];
  spans: readonly { tokens: string; means: string; cost: number; why: string }[];
  readings: readonly { cost: number; spans: readonly string[]; answered: boolean }[];
  searches: readonly { reading: number; how: string; region: number; found: number }[];
  first: readonly { name: string; score: number }[];
};

const searchMsMax = 30_000;

/** Asks the index file of this machine the question, as a search would. */
export async function explain(
  { q, hl, ll, gl }: ExplainRequest,
  { db, indexFolder }: { db: Database; indexFolder: string },
  signal: AbortSignal,
): Promise<Explanation | null> {
  const opened = await openCurrent(indexFolder);
  if (!opened) return null;
  try {
    const search = createIndexSearch({ db, index: opened.index, searchMsMax });
    const query = {
      q,
      hl,
      page: 1,
      extra: false,
      ...(ll === undefined ? {} : { ll }),
      ...(gl === undefined ? {} : { gl }),
    };
    const { reading, answered, first } = await search.explain(query, signal);
    const textOf = (from: number, to: number) =>
      reading.tokens
        .slice(from, to)
        .map(({ norm }) => norm)
        .join(" ");
    const used = readingOf({ reading, answered });
    return {
      reading: sentenceOf({ reading, answered }),
      tokens: reading.tokens.map(({ norm }) => norm),
      spans: reading.spans.map((span) => ({
        tokens: textOf(span.from, span.to),
        means: spanText(span),
        cost: Math.round(span.cost * 100) / 100,
        why: span.why,
      })),
      readings: reading.interpretations.map((each) => ({
        cost: each.cost,
        spans: each.spans.map(spanText),
        answered: each === used,
      })),
      searches: answered.probes.map(({ of, leniency, region, found }) => ({
        reading: of + 1,
        how: leniency,
        region: region + 1,
        found,
      })),
      first,
    };
  } finally {
    opened.close();
  }
}
