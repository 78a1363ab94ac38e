import { wordsOf } from "../text/words.ts";

/** Before a postcode: places have it as they have attributes, so that no name is taken for one. */
const mark = "@postcode_";

const lengthMax = 10;
const digits = /^\d{4,9}$/;
/** The first half of a British, Canadian or Irish postcode, or all of one that begins with the country's letters. */
const district = /^[a-z]{1,2}\d[a-z\d]{0,6}$/;
/** "SW1A 1AA" in its district and sector. */
const british = /^([a-z]{1,2}\d[a-z\d]?)(\d)[a-z]{2}$/;
/** "K1A 0B1", "D02 X285", "1012 AB": what stands before the house or the row of houses. */
const fine = /^(?:([a-z]\d[a-z])\d[a-z]\d|([a-z]\d[\dw])[a-z\d]{4}|(\d{4})[a-z]{2})$/;

/** "X5000JHO", "L 1010": what stands behind the letter of a province or country. */
const lettered = /^[a-z](\d{4})(?:[a-z]{3})?$/;
/** "05435000", "902101234": what stands before the streets where nobody wrote the hyphen. */
const streets = /^(\d{5})\d{3,4}$/;

/** What a place with this postcode is found by. Neighbors share it: what a single building has is too fine for that. */
export function postcodeIds(postcode: string | null): string[] {
  if (postcode === null || postcode.length > 2 * lengthMax) return [];
  return areasOf(wordsOf(postcode)).map((area) => mark + area);
}

/** The same without the mark. */
export function postcodeAreas(postcode: string): string[] {
  return postcodeIds(postcode).map((id) => id.slice(mark.length));
}

/** The area that the postcode is one of, and a wider one by whose name people ask too. */
function areasOf(words: readonly string[]): string[] {
  const [first = "", second = ""] = words;
  const whole = words.join("");
  if (!isPostcode(whole)) return [];
  const [, outward, sector] = british.exec(whole) ?? [];
  if (outward !== undefined && sector !== undefined) return [`${outward}-${sector}`, outward];
  const wider = fine.exec(whole)?.slice(1).find(Boolean);
  const plain = lettered.exec(whole)?.[1] ?? (second === "" ? streets.exec(whole)?.[1] : undefined);
  const area = wider ?? plain;
  if (area !== undefined) return [area];
  if (isOfCountry(first, second)) return [second];
  // "90210-1234", "1000-001": the second half is a few streets.
  return [second !== "" && digits.test(first) ? first : whole];
}

function isPostcode(text: string): boolean {
  return text.length >= 3 && text.length <= lengthMax && /\d/.test(text);
}

function isOfCountry(letters: string, number: string): boolean {
  return /^[a-z]{1,2}$/.test(letters) && digits.test(number);
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
    const read = (from: number, count: number): ReadPostcode => ({
      id: mark + (areasOf(words.slice(from, from + count))[0] ?? ""),
      rest: segments
        .map((each, index) => (index === segment ? each.toSpliced(from, count) : [...each]))
        .filter((each) => each.length > 0),
    });
    words.forEach((word, at) => {
      if (areHalves(word, words[at + 1] ?? "")) pairs.push(read(at, 2));
      if (isAlone(word)) singles.unshift(read(at, 1));
    });
  });
  return [...pairs, ...singles].slice(0, triedMax);
}

/** A house number or an hour is shorter. */
function isAlone(word: string): boolean {
  return isPostcode(word) && (digits.test(word) || district.test(word) || fine.test(word));
}

/** "SW1A 1AA", "1012 AB", "110 00", "604 0001", "LV 1010". */
function areHalves(first: string, second: string): boolean {
  if (!isPostcode(first + second)) return false;
  if (/^\d{2,5}$/.test(first)) return /^\d{2,4}$/.test(second) || (first.length === 4 && /^[a-z]{2}$/.test(second));
  return (district.test(first) && /^[a-z\d]{2,4}$/.test(second) && /\d/.test(second)) || isOfCountry(first, second);
}
