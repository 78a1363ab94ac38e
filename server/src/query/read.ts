import { countryAt } from "../geography/country.ts";
import { parseViewport } from "../geography/points.ts";
import { languageFor } from "../languages/index.ts";
import type { NameHit } from "../place-index/port.ts";
import { annotators, contactKeysOf, postcodeKeysOf, type Typed } from "./annotate.ts";
import { costs, together } from "./costs.ts";
import { kindOfEmoji } from "./words/emoji.ts";
import { warmWords } from "./words/lexicon.ts";
import { languageOfCountry } from "./words/implied-languages.ts";
import { interpretationsOf } from "./interpret.ts";
import { type Here, type NameSources, type Phrase, phrasesOf, spansOfNames } from "./names.ts";
import { isOfOne, type View } from "./plan.ts";
import { priced } from "./priced.ts";
import { coversOf } from "./solve.ts";
import type { Interpretation, Span } from "./spans.ts";
import { misspelledKinds } from "./words/typos.ts";
import { type Token, tokensOf } from "./tokens.ts";

export type Asked = { q: string; hl: string; ll?: string; gl?: string };

/** A question as it was read. */
export type Reading = {
  tokens: readonly Token[];
  spans: readonly Span[];
  interpretations: readonly Interpretation[];
  view: View;
  here: Here;
  /** What was looked up, as typed; corrected when what is spelled nearly so was looked up too. */
  phrases: readonly Phrase[];
  isCorrected: boolean;
  /** The languages of whoever asks. */
  languages: readonly string[];
};

export type ReaderOptions = NameSources & {
  lookup(phrases: readonly string[], edits: 0 | 1 | 2): Promise<readonly NameHit[]>;
};

/** Tokens, what they may mean, how they fit together. */
export async function read(asked: Asked, options: ReaderOptions): Promise<Reading> {
  await warmWords();
  const reading = await readTyped(asked, options);
  const kind = kindOfEmoji(asked.q);
  if (kind === undefined || reading.interpretations.slice(0, 1).some(isWanted)) return reading;
  // A picture is what is wanted where the words say nothing but where: "☕ Vaduz".
  return readTyped({ ...asked, q: `${kind} ${asked.q}` }, options);
}

function isWanted({ want }: Interpretation): boolean {
  return want.kinds.length > 0 || want.words.length > 0;
}

async function readTyped(asked: Asked, options: ReaderOptions): Promise<Reading> {
  const { q, hl } = asked;
  const view = viewOf(asked, options);
  const { circle } = view;
  const country = view.country ?? (circle ? countryAt(circle.center.latitude, circle.center.longitude) : null);
  const languageHere = country === null ? undefined : languageOfCountry(country);
  const tokens = tokensOf(q);
  const typed: Typed = { q, tokens, hl, languageHere };
  const ofWords = annotators.flatMap((annotate) => [...annotate(typed)]);
  const phrases = phrasesOf(tokens, languagesIn(ofWords, typed));
  const keys = keysOf(typed);
  const hits = await options.lookup([...new Set([...phrases, ...keys].map(({ text }) => text))], 0);
  const here = { center: circle?.center ?? null, country };
  const ofNames = spansOfNames(phrases, hits, options, here);
  const spans = priced([...ofWords, ...spansOfKeys(keys, hits), ...ofNames], circle !== null);
  const interpretations = interpretationsOf(coversOf(tokens, spans), tokens, [languageFor(hl), "en"]);
  const languages = [...new Set([languageFor(hl), "en", ...(languageHere === undefined ? [] : [languageHere])])];
  const reading = { tokens, spans, interpretations, view, here, phrases, isCorrected: false, languages };
  return isDoubtful(interpretations[0]) ? correct(reading, options) : reading;
}

/** The same with what is spelled nearly as the words that nobody knows; all words but kinds, where those found nothing. */
export async function correct(reading: Reading, options: ReaderOptions): Promise<Reading> {
  const { tokens, spans, here, languages } = reading;
  const doubted = doubtedPhrases(reading);
  const hits = doubted.length === 0 ? [] : await options.lookup([...new Set(doubted.map(({ text }) => text))], 2);
  const near = hits.filter(({ edits }) => edits > 0);
  const all = [
    ...spans,
    ...spansOfNames(doubted, near, { ...options, gazetteer: noTowns }, here),
    ...doubted.flatMap(({ text, from, to }) => misspelledKinds(text, languages, { from, to })),
  ];
  return {
    ...reading,
    spans: all,
    interpretations: interpretationsOf(coversOf(tokens, all), tokens, [languages[0] ?? "en", "en"]),
    isCorrected: true,
  };
}

const noTowns: NameSources["gazetteer"] = {
  townsNamed: () => [],
  stateNamed: () => undefined,
  stateCoded: () => undefined,
  isInState: () => () => false,
};

const doubtedTokensMax = 4;

function isDoubtful(best: Interpretation | undefined): boolean {
  return best?.spans.some(isUnknown) ?? false;
}

function isUnknown(span: Span): boolean {
  return (span.type === "word" && span.places === 0) || (span.type === "area" && span.area.places === 0);
}

/** Phrases that may be mistyped: with a word that nobody knows, or of a where without places; else any name. */
function doubtedPhrases({ phrases, interpretations }: Reading): Phrase[] {
  const [best] = interpretations;
  const isMistyped = isDoubtful(best) ? isUnknown : ({ type }: Span) => type === "word" || type === "name";
  const doubtful = best?.spans.filter(isMistyped) ?? [];
  return phrases.filter(({ form, from, to }) => {
    return (
      form === "written" && to - from <= doubtedTokensMax && doubtful.some((span) => span.from < to && from < span.to)
    );
  });
}

type Key = ReturnType<typeof keysOf>[number];

/** Numbers and sites that may be somebody's, and postcodes with the wider areas that they lie in. */
function keysOf(typed: Typed) {
  return [...contactKeysOf(typed), ...postcodeKeysOf(typed)];
}

/** Numbers and sites that the catalog has. */
function spansOfKeys(keys: readonly Key[], hits: readonly NameHit[]): Span[] {
  const known = new Map(hits.map((hit) => [`${hit.type} ${hit.phrase}`, hit.places]));
  return keys.flatMap(({ key, text, from, to }): Span[] => {
    if (key === "postcode") {
      const countries = hits.flatMap((hit) => (hit.type === "postcode" && hit.phrase === text ? hit.country : []));
      return countries.length === 0
        ? []
        : [{ type: key, text, countries, from, to, cost: costs.postcode.known, why: "a postcode" }];
    }
    const places = known.get(`${key} ${text}`);
    return places === undefined
      ? []
      : [{ type: "contact", key, text, places, from, to, cost: costs.contact, why: key }];
  });
}

/** The languages that names may be inflected in. */
function languagesIn(spans: readonly Span[], { hl, languageHere }: Typed): string[] {
  const ofWords = spans.flatMap((span) => (span.type === "kind" || span.type === "link" ? span.languages : []));
  return [...new Set([hl.split("-")[0] ?? hl, ...(languageHere === undefined ? [] : [languageHere]), ...ofWords])];
}

/** Whether the catalog has data of the where of a question. */
export function isCovered({ interpretations, view }: Reading): boolean {
  const [first] = interpretations;
  if (!first || isOfOne(first)) return view.isCovered;
  // What is called so was found already, wherever its town is.
  if (first.want.kinds.length === 0 && first.spans.some(({ type }) => type === "name")) return true;
  if (first.where.every((where) => where === "here")) {
    const others = interpretations.filter(({ cost }) => cost <= first.cost + together);
    return view.isCovered && others.every(({ want, where }) => want.kinds.length === 0 || !where.some(isElsewhere));
  }
  return !first.where.some(isElsewhere);
}

function isElsewhere(where: Interpretation["where"][number]): boolean {
  return where !== "here" && ("unknown" in where || ("in" in where && where.in.places === 0));
}

function viewOf({ ll, gl }: Asked, { covers }: NameSources): View {
  const circle = ll === undefined ? undefined : parseViewport(ll);
  const country = gl?.toUpperCase() ?? null;
  const code = country !== null && /^[A-Z]{2}$/.test(country) ? country : null;
  const isCoveredHere = circle ? covers({ view: circle.center }) : code === null || covers({ country: code });
  return { circle: circle ?? null, country: code, isCovered: isCoveredHere };
}
