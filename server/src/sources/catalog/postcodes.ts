import { wordsOf } from "../query/words.ts";

/** Before a postcode: places have it as they have attributes, so that no name is taken for one. */
const mark = "@postcode_";

const lengthMax = 10;
const digits = /^\d{4,9}$/;
/** The first half of a British, Canadian or Irish postcode, or all of one that begins with the country's letters. */
const district = /^[a-z]{1,2}\d[a-z\d]{0,6}$/;
/** Both halves of one that is written without a space. */
const halves = /^([a-z]{1,2}\d[a-z\d]?)(\d[a-z]{2}|\d[a-z]\d)$/;

/** What a place with this postcode is found by: the whole of it, and the part that people use alone. */
export function postcodeIds(postcode: string | null): string[] {
  if (postcode === null || postcode.length > 2 * lengthMax) return [];
  const words = wordsOf(postcode);
  const whole = words.join("");
  if (!isPostcode(whole)) return [];
  const [first = "", second = ""] = words.length > 1 ? words : (halves.exec(whole)?.slice(1) ?? []);
  const alone = isAlone(first) ? [first] : isOfCountry(first, second) ? [second] : [];
  return [whole, ...alone].map((part) => mark + part);
}

function isPostcode(text: string): boolean {
  return text.length >= 3 && text.length <= lengthMax && /\d/.test(text);
}

/** Whether a word of a question may be a postcode: a house number or an hour is shorter. */
function isAlone(word: string): boolean {
  return digits.test(word) || district.test(word);
}

/** Words of a question that may be a postcode, and what is left of each part between commas without them. */
export type ReadPostcode = { id: string; rest: string[][] };

/** More are tried in no question. */
const triedMax = 3;

/** The likelier first: two words that may be the halves of one, then single ones from the end. */
export function readPostcodes(segments: readonly (readonly string[])[]): ReadPostcode[] {
  const pairs: ReadPostcode[] = [];
  const singles: ReadPostcode[] = [];
  segments.forEach((words, segment) => {
    const without = (from: number, count: number) =>
      segments
        .map((each, index) => (index === segment ? each.toSpliced(from, count) : [...each]))
        .filter((each) => each.length > 0);
    words.forEach((word, at) => {
      const next = words[at + 1] ?? "";
      if (areHalves(word, next)) pairs.push({ id: mark + word + next, rest: without(at, 2) });
      if (isAlone(word)) singles.unshift({ id: mark + word, rest: without(at, 1) });
    });
  });
  return [...pairs, ...singles].slice(0, triedMax);
}

/** "SW1A 1AA", "1012 AB", "110 00", "604 0001", "LV 1010". */
function areHalves(first: string, second: string): boolean {
  if (!isPostcode(first + second)) return false;
  if (/^\d{2,5}$/.test(first)) return /^\d{2,4}$/.test(second) || (first.length === 4 && /^[a-z]{2}$/.test(second));
  return (district.test(first) && /^[a-z\d]{2,4}$/.test(second) && /\d/.test(second)) || isOfCountry(first, second);
}

function isOfCountry(letters: string, number: string): boolean {
  return /^[a-z]{1,2}$/.test(letters) && digits.test(number);
}
