import { pointOfPlusCode } from "../geography/plus-code.ts";
import { languageFor, lexicon } from "../languages/index.ts";
import { postcodeAreas } from "../places/postcodes.ts";
import { siteKeys } from "../place-index/terms.ts";
import { foldedRuns } from "../text/normalize.ts";
import { wordsOf } from "../text/words.ts";
import { costs } from "./costs.ts";
import { type WordMeaning, words } from "./words/lexicon.ts";
import { clockWords } from "./words/times.ts";
import type { Span } from "./spans.ts";
import { phraseOf, type Token } from "./tokens.ts";

/** A question before anything is looked up. */
export type Typed = { q: string; tokens: readonly Token[]; hl: string; languageHere: string | undefined };

/** Each looks at the tokens alone and adds what they may mean. */
export const annotators: readonly ((typed: Typed) => Iterable<Span>)[] = [
  annotateWords,
  annotateUnknown,
  annotateOwn,
  annotateHouses,
  annotatePoints,
  annotateMapLinks,
  annotatePlusCodes,
  annotateDistances,
  annotateHours,
];

const phraseTokensMax = 16;

/** What phrases mean in any language. */
function* annotateWords({ tokens, hl, languageHere }: Typed): Iterable<Span> {
  const { byPhrase, longest } = words();
  for (let from = 0; from < tokens.length; from += 1) {
    const hasBlanks = tokens[from + 1]?.glue !== "none";
    const most = hasBlanks ? (longest.get(tokens[from]?.norm ?? "") ?? 0) : phraseTokensMax;
    for (let to = from + 1; to <= Math.min(tokens.length, from + Math.max(1, most)); to += 1) {
      if (to > from + 1 && tokens[to - 1]?.glue === "comma") break;
      const meanings = byPhrase.get(phraseOf(tokens, from, to)) ?? [];
      for (const meaning of merged(meanings)) {
        if (meaning.type === "kind" && meaning.isLoose && !isSpoken(meaning.languages, hl, languageHere)) continue;
        yield { ...meaning, from, to, ...priceOf(meaning, hl, languageHere) };
      }
    }
  }
}

/** Kinds that several languages call the same are one meaning; so are other words that mean the same in all. */
function merged(meanings: readonly WordMeaning[]): WordMeaning[] {
  const byKey = new Map<string, WordMeaning>();
  for (const meaning of meanings) {
    const key = keyOf(meaning);
    const known = byKey.get(key);
    if (!known) byKey.set(key, meaning);
    else if ("languages" in known && "languages" in meaning) {
      const languages = [...known.languages, ...meaning.languages];
      const sides =
        "sides" in known && "sides" in meaning ? { sides: [...new Set([...known.sides, ...meaning.sides])] } : {};
      byKey.set(key, { ...known, languages, ...sides });
    }
  }
  return [...byKey.values()];
}

function keyOf(meaning: WordMeaning): string {
  if (meaning.type === "kind") return `kind ${meaning.isLoose} ${meaning.kinds.join(" ")}`;
  if (meaning.type === "attribute") return `attribute ${meaning.id}`;
  if (meaning.type === "open") return `open ${JSON.stringify(meaning.at)}`;
  return meaning.type === "link" ? `link ${meaning.role}` : meaning.type;
}

/** What a kind is merely searched by is too often another word elsewhere. */
function isSpoken(languages: readonly string[], hl: string, languageHere: string | undefined): boolean {
  return languages.some((language) => language === languageFor(hl) || language === languageHere || language === "en");
}

function priceOf(meaning: WordMeaning, hl: string, languageHere: string | undefined): { cost: number; why: string } {
  if (meaning.type === "attribute") return { cost: costs.attribute, why: "an attribute" };
  if (meaning.type === "open") return { cost: costs.time, why: "a time" };
  if (meaning.type === "here") return { cost: costs.here, why: "here" };
  if (meaning.type === "link") return { cost: costs.link, why: `links as ${meaning.role}` };
  if (meaning.type !== "kind") return { cost: costs.filler, why: meaning.type };
  const { languages, isLoose } = meaning;
  const isOwn = languages.includes(languageFor(hl)) || (languageHere !== undefined && languages.includes(languageHere));
  const { ownLanguage, english, otherLanguage, loose } = costs.kind;
  const byLanguage = isOwn ? ownLanguage : languages.includes("en") ? english : otherLanguage;
  const how = isLoose ? "searched by" : "called so";
  return { cost: byLanguage + (isLoose ? loose : 0), why: `${how} in ${languages.join(" ")}` };
}

/** Every word may be one that nobody knows; signs without blanks are words as far as a dictionary parts them. */
function* annotateUnknown({ tokens }: Typed): Iterable<Span> {
  const unknown = { type: "word" as const, places: 0, cost: costs.word.unknown, why: "a word" };
  for (let from = 0; from < tokens.length; from += 1) {
    const [token, next] = [tokens[from], tokens[from + 1]];
    if (!token) continue;
    yield { ...unknown, words: [token.norm], from, to: from + 1 };
    if (next?.glue !== "none" || token.glue === "none") continue;
    let to = from + 1;
    while (tokens[to]?.glue === "none") to += 1;
    yield* partsOf(tokens, from, to);
  }
}

function* partsOf(tokens: readonly Token[], from: number, to: number): Iterable<Span> {
  let at = from;
  for (const word of wordsOf(
    tokens
      .slice(from, to)
      .map(({ norm }) => norm)
      .join(""),
  )) {
    let end = at;
    for (let length = 0; end < to && length < word.length; end += 1) length += tokens[end]?.norm.length ?? 0;
    if (end > at + 1) {
      yield { type: "word", words: [word], places: 0, from: at, to: end, cost: costs.word.unknown, why: "a word" };
    }
    at = end;
  }
}

/** Whose town, street or position it is: "in my street", "vicino alla mia posizione". */
const possessives: ReadonlySet<string> = new Set([...lexicon.values()].flatMap(({ mine = [] }) => mine));
const ownWordsMax = 2;

function* annotateOwn({ tokens }: Typed): Iterable<Span> {
  const to = tokens.length;
  for (let from = Math.max(1, to - 1 - ownWordsMax); from < to - 1; from += 1) {
    if (!possessives.has(tokens[from]?.norm ?? "")) continue;
    yield { type: "here", from, to, cost: costs.own, why: "the asker's own" };
  }
}

const house = /^\d{1,5}[a-z]?$/;
const houseRest = /^(?:[a-z]|bis|ter|quater)$/;

/** "16", "12 b", "12 bis", "3-5". */
function* annotateHouses({ tokens }: Typed): Iterable<Span> {
  for (let from = 0; from < tokens.length; from += 1) {
    const text = tokens[from]?.norm ?? "";
    if (!house.test(text)) continue;
    yield { type: "house", text, from, to: from + 1, cost: costs.house, why: "a house" };
    const next = tokens[from + 1];
    if (!next || next.glue === "comma") continue;
    if (houseRest.test(next.norm)) {
      const letter = next.norm.length === 1 ? next.norm : "";
      yield { type: "house", text: text + letter, from, to: from + 2, cost: costs.house, why: "a house" };
    } else if (next.glue === "hyphen" && house.test(next.norm)) {
      yield { type: "house", text, from, to: from + 2, cost: costs.house, why: "houses" };
    }
  }
}

/** Two numbers with at least two decimals each: one with fewer may be a size or a price. */
const point = /(?<![\d.])(-?\d{1,2}\.\d{2,15})°?[\s,;]{1,4}(-?\d{1,3}\.\d{2,15})°?(?![\d.])/g;

function* annotatePoints({ q, tokens }: Typed): Iterable<Span> {
  for (const match of q.matchAll(point)) {
    const center = { latitude: Number(match[1]), longitude: Number(match[2]) };
    if (Math.abs(center.latitude) > 90 || Math.abs(center.longitude) > 180) continue;
    const range = rangeOf(tokens, match.index, match.index + match[0].length);
    if (range) yield { type: "point", center, ...range, cost: 0, why: "coordinates" };
  }
}

const link = /(?:https?:\/\/|geo:)\S+/gi;
const pair = /(-?\d{1,2}\.\d{3,15})[^\d.-]{1,8}(-?\d{1,3}\.\d{3,15})/;

/** The link of a map, whatever else it says. */
function* annotateMapLinks({ q, tokens }: Typed): Iterable<Span> {
  for (const match of q.matchAll(link)) {
    const [, latitude, longitude] = pair.exec(match[0]) ?? [];
    const center = { latitude: Number(latitude), longitude: Number(longitude) };
    const range = rangeOf(tokens, match.index, match.index + match[0].length);
    if (!range || longitude === undefined || Math.abs(center.latitude) > 90 || Math.abs(center.longitude) > 180)
      continue;
    yield { type: "point", center, ...range, cost: 0, why: "the link of a map" };
  }
}

const plusCode = /(?<![\w+])([23456789CFGHJMPQRVWX]{4,8})\+[23456789CFGHJMPQRVWX]{2,3}(?!\w)/gi;

/** "8FVF4GQC+2X", and "4GQC+2X" beside a town. */
function* annotatePlusCodes({ q, tokens }: Typed): Iterable<Span> {
  for (const match of q.matchAll(plusCode)) {
    const [text] = match;
    const range = rangeOf(tokens, match.index, match.index + text.length);
    if (!range) continue;
    const center = pointOfPlusCode(text);
    if (center) yield { type: "point", center, ...range, cost: 0, why: "a plus code" };
    else if (text.indexOf("+") % 2 === 0)
      yield { type: "shortCode", text, ...range, cost: 0, why: "a short plus code" };
  }
}

const distance = /^(\d{1,3})(km|m|mi|miles?|meters?|metres?|kilometers?|kilometres?)?$/;

/** "5 km", "500m". */
function* annotateDistances({ tokens }: Typed): Iterable<Span> {
  for (let from = 0; from < tokens.length; from += 1) {
    for (const to of [from + 1, from + 2]) {
      if (to > tokens.length) continue;
      const [, number, unit] =
        distance.exec(
          tokens
            .slice(from, to)
            .map(({ norm }) => norm)
            .join(""),
        ) ?? [];
      if (unit === undefined) continue;
      const unitM = unit.startsWith("k") ? 1_000 : unit.startsWith("mi") ? 1_609 : 1;
      yield { type: "distance", meters: Number(number) * unitM, from, to, cost: 0, why: "a distance" };
    }
  }
}

const hourOfDay = /(?<![\d.,:/-])(\d{1,2})(?:([.:h])\d{2})?(?!\d)(\s?[\p{L}.]+)?/gu;

/** "8 pm", "20:00", "20 Uhr", "8時", and a number behind a link: "at 8". */
function* annotateHours({ q, tokens }: Typed): Iterable<Span> {
  for (const match of q.matchAll(hourOfDay)) {
    const [all, number, sign, word = ""] = match;
    const meaning = clockWords.get(foldedRuns(word).join(""));
    const isWritten = meaning !== undefined || sign === ":" || sign === "h";
    const end = match.index + all.length - (meaning === undefined ? word.length : 0);
    const range = rangeOf(tokens, match.index, end);
    const typed = Number(number);
    if (!range || typed > 24 || (meaning === undefined && /^\p{L}/u.test(word))) continue;
    if (!isWritten && !isLink(tokens[range.from - 1])) continue;
    const hour = meaning === "pm" && typed < 12 ? typed + 12 : meaning === "am" && typed === 12 ? 0 : typed % 24;
    const cost = isWritten ? costs.time : costs.hourAlone;
    yield { type: "open", at: { days: [], hours: [hour] }, ...range, cost, why: "an hour" };
  }
}

function isLink(token: Token | undefined): boolean {
  const meanings = token ? (words().byPhrase.get(token.norm) ?? []) : [];
  return meanings.some(({ type }) => type === "link");
}

/** What may be a telephone number, or a site: as it is asked of the names, and the tokens that it was typed as. */
export type ContactKey = { key: "phone" | "site"; text: string; from: number; to: number };

const phone = /(?:\+|00)?\(?\d[\d\s().\-/]{3,}\d/g;
const site = /(?:https?:\/\/)?[^\s,;@/]*@?[^\s,;@/]+\.[a-z]{2,}(?:\/[^\s,;]*)?|(?<!\S)@[^\s,;@]+/gi;

export function contactKeysOf({ q, tokens }: Typed): ContactKey[] {
  const keys: ContactKey[] = [];
  const add = (key: ContactKey["key"], match: RegExpExecArray, texts: readonly string[]) => {
    const range = rangeOf(tokens, match.index, match.index + match[0].length);
    if (range) for (const text of new Set(texts)) keys.push({ key, text, ...range });
  };
  for (const match of q.matchAll(phone)) add("phone", match, phoneTexts(match[0]));
  for (const match of q.matchAll(site)) add("site", match, siteTexts(match[0]));
  return keys;
}

const postcodeTokensMax = 2;
/** Letters before or behind the digits are few: "DGL 1942", "1012 AB". */
const postcodePart = /\d|^[a-z]{1,3}$/;

/** Tokens that may be a postcode; what neighbors share of it is what places are found by. */
export function postcodeKeysOf({ tokens }: Typed): { key: "postcode"; text: string; from: number; to: number }[] {
  return tokens.flatMap((_, from) =>
    Array.from({ length: postcodeTokensMax }, (__, more) => from + more + 1)
      .filter((to) => to <= tokens.length && tokens.slice(from, to).every(({ norm }) => postcodePart.test(norm)))
      .flatMap((to) =>
        postcodeAreas(phraseOf(tokens, from, to)).map((text) => ({ key: "postcode" as const, text, from, to })),
      ),
  );
}

/** However the number was typed, with its country or as people at home dial it. */
function phoneTexts(typed: string): string[] {
  const digits = typed.replace("(0)", "").replaceAll(/\D/g, "");
  if (digits.length < 5 || digits.length > 17) return [];
  const national = digits.replace(/^0+/, "");
  return [`+${digits}`, `+${national}`, digits, national];
}

function siteTexts(typed: string): string[] {
  if (typed.startsWith("@")) return [typed.toLowerCase()];
  if (typed.includes("@") && !typed.includes("/")) return [typed.toLowerCase()];
  const keys = siteKeys(/^https?:/i.test(typed) ? typed : `https://${typed}`);
  return keys.slice(-1);
}

function rangeOf(tokens: readonly Token[], start: number, end: number): { from: number; to: number } | undefined {
  const from = tokens.findIndex((token) => token.to > start);
  const to = tokens.findLastIndex((token) => token.from < end) + 1;
  return from >= 0 && to > from ? { from, to } : undefined;
}
