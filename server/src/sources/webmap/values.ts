import { memoize } from "../../platform/memoize.ts";
import { cutText, storableText } from "../../platform/text.ts";
import { isPlainAddress, readWebsite, toUri } from "../../places/contacts.ts";
import { withPlainDigits } from "../../text/plain-digits.ts";

/** Positions in nested arrays, from the outside in. */
export type Path = readonly number[];

/** The value at a path; undefined as soon as the way there ends. */
export function at(value: unknown, path: Path): unknown {
  let current = value;
  for (const index of path) {
    if (!Array.isArray(current)) return undefined;
    current = current[index];
  }
  return current;
}

/** Whether something is at a path, or in its way, that is no list. Lists are lists or null, whatever they hold. */
export function isNoList(value: unknown, path: Path): boolean {
  let current = value;
  for (const index of path) {
    if (!Array.isArray(current)) break;
    current = current[index];
  }
  return current !== undefined && current !== null && !Array.isArray(current);
}

export function listAt(value: unknown, path: Path): readonly unknown[] {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
}

/** A reader turns a foreign value into ours, or answers undefined when it is not what it should be. */
export type Read<Value> = (value: unknown) => Value | undefined;

/** Some answers escape their texts twice, so that `=` arrives as six characters. */
export function unescaped(value: string): string {
  if (!value.includes("\\u")) return value;
  return value.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What keeps a text from being taken as it is: an escape, a NUL, half a character, blanks or marks of direction around it. */
const needsCleaning = /[\\\0\ud800-\udfff]|^[\s\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\s\u061c\u200e\u200f]$/;
const edge = /[\s\u061c\u200e\u200f]/;
/** Marks of direction that begin and end with the text. */
const embedded = /^[\u202a\u202b\u2066-\u2068]([^\u202a-\u202e\u2066-\u2069]*)[\u202c\u2069]$/;

export function text(charactersMax: number): Read<string> {
  return (value) => {
    if (typeof value !== "string" || isGarbled(value)) return undefined;
    // An escaped character takes six; nothing beyond can be part of what is kept.
    const bounded = value.length > charactersMax * 12 ? value.slice(0, charactersMax * 12) : value;
    const clean = needsCleaning.test(bounded) ? bareText(storableText(unescaped(bounded))) : bounded;
    const cut = cutText(clean, charactersMax);
    return cut === "" ? undefined : cut;
  };
}

/** Stands where a character could not be decoded: a name is then another, and prose may have one here and there. */
const undecoded = "\ufffd";
const readablePerUndecoded = 50;

function isGarbled(written: string): boolean {
  if (!written.includes(undecoded)) return false;
  return (written.split(undecoded).length - 1) * readablePerUndecoded > written.length;
}

function bareText(written: string): string {
  return withoutEdges(withoutEdges(written).replace(embedded, "$1"));
}

/** Character by character: a pattern for the end would begin anew at each of very many blanks within. */
function withoutEdges(written: string): string {
  let [start, end] = [0, written.length];
  while (start < end && edge.test(written.charAt(start))) start += 1;
  while (end > start && edge.test(written.charAt(end - 1))) end -= 1;
  return written.slice(start, end);
}

/** A text of one exact shape; anything else is unreadable, since cutting an id would make another id. */
export function shaped(pattern: RegExp, charactersMax = 512): Read<string> {
  return (value) => {
    if (typeof value !== "string" || value.length > charactersMax * 6) return undefined;
    const clean = unescaped(value);
    return clean.length <= charactersMax && pattern.test(clean) ? clean : undefined;
  };
}

const phoneText = text(128);
/** Of any script; the shortest numbers that one can dial have three. */
const threeDigits = /\p{Nd}(?:\P{Nd}*\p{Nd}){2}/u;

/** A telephone number as it is written: a text without the digits of one is another thing. */
export const phone: Read<string> = (value) => {
  const written = phoneText(value);
  return written !== undefined && threeDigits.test(written) ? written : undefined;
};

const zoneText = shaped(/^[A-Za-z]+(?:\/[\w+-]+)*$/, 128);
const zonesMax = 1_000;

/** A time zone that exists, by its IANA name. */
export const timeZone: Read<string> = (value) => {
  const name = zoneText(value);
  return name !== undefined && isTimeZone(name) ? name : undefined;
};

const isTimeZone = memoize((name: string) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}, zonesMax);

export function number(min: number, max: number): Read<number> {
  return (value) => (typeof value === "number" && value >= min && value <= max ? value : undefined);
}

export function integer(min: number, max: number): Read<number> {
  return (value) => (Number.isInteger(value) ? number(min, max)(value) : undefined);
}

const numeralLengthMax = 40;

/** A number as people write it, in plain digits and without blanks around it. */
function numeral(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > numeralLengthMax) return undefined;
  return withPlainDigits(value).trim();
}

/** Zero to five stars, as a number or in the digits and with the decimal mark of any language: "4,8", "٤٫٨". */
export const stars: Read<number> = (value) => {
  const [written] = /^[0-5](?:[.,\u066b]\d{1,2})?$/.exec(numeral(value) ?? "") ?? [];
  return number(0, 5)(written === undefined ? value : Number(written.replace(/[,\u066b]/, ".")));
};

const hanNumerals = "一二三四五";

/**
 * The class in a text such as "4-star hotel", in any language. A digit of a longer number is none, nor is the amount of
 * a price.
 */
export const starsInText: Read<number> = (value) => {
  const written = withPlainDigits(starsText(value) ?? "");
  if (/\p{Sc}/u.test(written)) return undefined;
  const [digits] = /(?<![\d.,])[1-5](?:[.,]5)?(?![.,]?\d)/.exec(written) ?? [];
  if (digits !== undefined) return Number(digits.replace(",", "."));
  const [, han] = /([一二三四五])つ?星/.exec(written) ?? [];
  return han === undefined ? undefined : hanNumerals.indexOf(han) + 1;
};

const starsText = text(100);
const priceText = text(128);

/** A level or a range: a sign, a currency or a word. Bare numbers are something else, such as a rating. */
export const price: Read<string> = (value) => {
  const written = priceText(value);
  if (written === undefined || !/[\p{Sc}\p{L}]/u.test(written)) return undefined;
  return /^0x|:\/\//i.test(written) ? undefined : written;
};

/**
 * How many, as a number or in digits with their groups marked: "1.234", "1 234", "1,23,456". A rounded one such as
 * "1.2K" or "1,2 mil" is not how many there are.
 */
export const count: Read<number> = (value) => {
  const [written] = /^(?:\d{1,16}|\d{1,3}([.,'’٬ ])(?:\d{2,3}\1)*\d{3})$/.exec(numeral(value) ?? "") ?? [];
  return integer(0, Number.MAX_SAFE_INTEGER)(written === undefined ? value : Number(written.replaceAll(/\D/g, "")));
};

/** The items that can be read, each once; unreadable when there are items and none of them can. */
export function listOf(read: Read<string>, itemsMax: number): Read<string[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = new Set<string>();
    for (const item of value) {
      if (items.size === itemsMax) break;
      const known = read(item);
      if (known !== undefined) items.add(known);
    }
    return items.size > 0 || value.length === 0 ? [...items] : undefined;
  };
}

/** A web address, resolved against the map's own and freed of its `/url?q=` wrapping. */
export function link(base: string): Read<string> {
  return (value) => {
    if (typeof value !== "string" || value.length > 8192) return undefined;
    return usualLink(value) ?? parsedLink(value, base);
  };
}

/** The website of a business: an address, wrapped or not, or a bare name. A page of the map is none. */
export function site(base: string): Read<string> {
  const uri = link(base);
  return (value) => {
    if (typeof value !== "string" || value.length > 8192) return undefined;
    if (/^\s*(?:https?:|\/\/)/i.test(value)) return uri(value);
    const written = unescaped(value).trim();
    if (!/^[/?#]/.test(written)) return readWebsite(written) ?? undefined;
    return /^\/url\?(?:.*&)?(?:q|url)=/.test(written) ? uri(written) : undefined;
  };
}

/** The wrapping as the map writes it, around an address of ASCII characters. */
const usualWrapping = /^\/url\?q=((?:[\w.~!*()-]|%[2-7][0-9a-f])+)(?:&|$)/i;

/** Most links by far, without the cost of a URL object; undefined for those that need one. */
function usualLink(value: string): string | undefined {
  const wrapped = usualWrapping.exec(value)?.[1];
  const address = wrapped === undefined ? value : decodeURIComponent(wrapped);
  if (!isPlainAddress(address) || needsUrl.test(address)) return undefined;
  return wrapped === undefined && wrapsAnother.test(address) ? undefined : address;
}

/** What a URL object writes otherwise or refuses: quotes in queries, names in Punycode. */
const needsUrl = /'|xn--/;
const wrapsAnother = /^https?:\/\/[^/]+\/url(?:[?#]|$)/;

function parsedLink(value: string, base: string): string | undefined {
  const written = unescaped(value).trim();
  // Resolved against the map, any text at all would be an address.
  if (!/^(?:https?:|\/)/i.test(written)) return undefined;
  const url = URL.parse(written, base);
  if (!url) return undefined;
  const wrapped = url.pathname === "/url" ? (url.searchParams.get("q") ?? url.searchParams.get("url")) : null;
  return httpUri(wrapped === null ? url : URL.parse(wrapped)) ?? undefined;
}

function httpUri(url: URL | null): string | null {
  return url && /^https?:$/.test(url.protocol) && url.username === "" ? toUri(url) : null;
}
