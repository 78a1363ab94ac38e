import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString, PhoneNumber } from "libphonenumber-js/min";
import { memoize } from "../platform/memoize.ts";
import { withPlainDigits } from "../text/plain-digits.ts";

const uriMax = 2048;
const emailMax = 254;

/** Several values in one field: OpenStreetMap separates them by semicolons. */
export function splitList(value: string): string[] {
  if (!value.includes(";")) return value.trim() === "" ? [] : [value.trim()];
  return value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Telephone numbers in E.164, with `;ext=` before an extension, each once; what is no number is left out. */
export function readPhones(values: Iterable<string>, countryCode: string | null): string[] {
  const country = countryCode !== null && isSupportedCountry(countryCode) ? countryCode : undefined;
  const phones = new Set<string>();
  for (const written of values) {
    const value = withPlainDigits(written.slice(0, phonesLengthMax)).replace(extensionWord, " ext. ");
    for (const part of value.split(betweenPhones)) {
      for (const read of readParts(part, country)) phones.add(read);
    }
  }
  return [...phones];
}

const storedPhone = /^(\+\d{4,20})(?:;ext=(\d+))?$/;
/** A listing in several languages, and in several answers before it is kept, has the same numbers. */
const phonesKept = 10_000;

/** A number of `readPhones` as people write it; one that an older import stored is written so already. */
export const formatPhone = memoize((stored: string): string => {
  const [, number, ext] = storedPhone.exec(stored) ?? [];
  return number === undefined ? stored : (inGroups(number, ext) ?? stored);
}, phonesKept);

function inGroups(number: string, ext: string | undefined): string | undefined {
  try {
    const phone = new PhoneNumber(number);
    if (ext !== undefined) phone.setExt(ext);
    return phone.formatInternational();
  } catch {
    return undefined; // no calling code that this release of the library knows
  }
}

/** The digits of a number in E.164 without those of its country; undefined where nobody knows which those are. */
export function nationalDigitsOf(number: string): string | undefined {
  try {
    return new PhoneNumber(number).nationalNumber;
  } catch {
    return undefined;
  }
}

/**
 * How people write that an extension follows, in the words that the library does not read: Canadian French, German,
 * Dutch, Spanish, Portuguese, Polish, Turkish, Ukrainian, Thai, Vietnamese, Persian, Chinese, Japanese and Korean.
 */
const extensionWord =
  /(?<=\d[\s,)]*)\(?\s*(?:poste|durchwahl|dw|toestel|interno|anexo|ramal|wewn?|dahili|дод|ต่อ|máy lẻ|داخلی|داخلي|分機|分机|轉|转|内線|내선)\s*[.:]?\s*(?=\d{1,7}\)?\s*(?:$|[;,]))/iu;

const phonesLengthMax = 400;
const phoneLengthMax = 60;
/** What people write between two numbers; a plus sign begins the next one by itself. */
const betweenPhones = /[,;|]|\s(?:or|oder|ou|o|of|und|and|et|y|e)\s|(?<=[\d\s])(?=\+)/i;

/** A slash stands between two numbers, or inside one: `239 20 20 / 239 20 21`, `0664/1234567`, `239 20 20/21`. */
function readParts(value: string, country: CountryCode | undefined): string[] {
  if (!value.includes("/")) return [readPhone(value, country)].filter((phone) => phone !== undefined);
  const parts = value.split("/").map((part) => (digitsOf(part) < ownDigitsMin ? undefined : readPhone(part, country)));
  const [first] = parts;
  if (parts.every((part) => part !== undefined)) return parts;
  // The end of a second number is not worth fusing with the first.
  const whole = first ?? readPhone(value, country);
  return whole === undefined ? [] : [whole];
}

/** Fewer digits beside a slash are an area code or the end of a number. */
const ownDigitsMin = 6;

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, "").length;
}

function readPhone(value: string, country: CountryCode | undefined): string | undefined {
  if (value.length > phoneLengthMax || !/\d{2}/.test(value)) return undefined;
  const phone = parsePhoneNumberFromString(value, country);
  if (phone?.isPossible()) return keepsTrunkZero(phone, value) ? undefined : toStored(phone);
  // The zero in brackets is for callers at home, and some write it where there is none.
  const withoutZero = value.replace(/^(\s*\+\d{1,3}\s*)\(0\)/, "$1");
  return withoutZero === value ? undefined : readPhone(withoutZero, country);
}

function toStored({ number, ext }: PhoneNumber): string {
  return ext ? `${number};ext=${ext}` : number;
}

/** A number for callers at home, such as `0800` or `02-120`, that no number from abroad was made of: its zero is still there. */
function keepsTrunkZero(phone: PhoneNumber, written: string): boolean {
  return phone.nationalNumber.startsWith("0") && !written.includes("+") && !phone.isValid();
}

/** Addresses of the usual shape, which are most, need no closer look. */
const plainAddress = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\/[\w./~@:+,;=&?!*'()#-]*$/;

/** A web address that can be followed, without a password; one without a scheme is taken as https. */
export function readWebsite(value: string): string | null {
  const text = value.trim();
  if (isPlainAddress(text)) return text;
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+\.[a-z]+:\d/i.test(text);
  const address = hasScheme ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  if (url.username !== "" && !hasScheme) return null; // an e-mail address
  url.username = url.password = "";
  if (!/[^.]\.[a-z0-9-]{2,}\.?$/i.test(url.hostname)) return null;
  return toUri(url);
}

export function isPlainAddress(text: string): boolean {
  if (text.length > uriMax || !plainAddress.test(text)) return false;
  // Dots alone between slashes would be resolved, and a second hash is no fragment.
  return !/\/\.{1,2}(?:[/?#]|$)/.test(text) && text.indexOf("#") === text.lastIndexOf("#");
}

/** The text of a URL as the schema's `uri` format takes it, or null: WHATWG lets through what RFC 3986 does not. */
export function toUri(url: URL): string | null {
  const text = url.href.replaceAll(/["<>\\^`{|}[\]]/g, (character, offset: number) =>
    isInHost(url, offset) ? character : encodeURIComponent(character),
  );
  const isValid = /^[a-z][a-z0-9+.-]*:\/\/[^\s"<>\\^`{|}]+$/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text);
  return isValid && text.length <= uriMax && /^[\x21-\x7e]+$/.test(text) ? text : null;
}

function isInHost(url: URL, offset: number): boolean {
  return offset < url.href.indexOf(url.host) + url.host.length;
}

// What ajv-formats takes for an e-mail address, which is stricter than what mail servers take.
const emailPattern =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

export function readEmail(value: string): string | null {
  const text = value.trim().replace(/^mailto:/i, "");
  return text.length <= emailMax && emailPattern.test(text) ? text : null;
}

const networks: Readonly<Record<string, string>> = {
  facebook: "https://www.facebook.com/",
  instagram: "https://www.instagram.com/",
  twitter: "https://x.com/",
  x: "https://x.com/",
  youtube: "https://www.youtube.com/",
  linkedin: "https://www.linkedin.com/company/",
  tiktok: "https://www.tiktok.com/@",
  pinterest: "https://www.pinterest.com/",
  vk: "https://vk.com/",
  telegram: "https://t.me/",
};

export const networkNames: readonly string[] = Object.keys(networks);

/** A profile's address from what people enter: an address, a handle, or `@handle`. */
export function readProfile(network: string, value: string): string | null {
  const text = value.trim();
  if (/\/|^www\./i.test(text)) return readWebsite(text);
  const base = networks[network];
  const handle = text.replace(/^@/, "");
  return base !== undefined && /^[\w.-]{2,100}$/.test(handle) ? readWebsite(base + handle) : null;
}
