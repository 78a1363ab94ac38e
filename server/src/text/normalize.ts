/** Arabic, Persian, Devanagari, Bengali and Thai ones, each from zero on. */
const otherDigits = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙";

/** Letters that decomposition leaves whole although people type them plainly. */
const plainLetters: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from(otherDigits, (digit, index) => [digit, String(index % 10)])),
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ς: "σ",
  ё: "е",
  // Keyboards of Arabic, Persian and Urdu write the same letters differently.
  ى: "ي",
  ی: "ي",
  ې: "ي",
  ک: "ك",
  ة: "ه",
  ہ: "ه",
  ھ: "ه",
  "\u0640": "",
};
const plainLetter = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "gu");

// Accents of Latin, Greek and Cyrillic, Arabic vowel signs and Hebrew points go: people leave them
// out. The voicing marks of kana and the vowel signs of Indic scripts stay: without them a word is another.
const accents = /[\u0300-\u036f\u064b-\u065f\u0670\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/gu;
const notInWords = /[^\p{L}\p{N}\p{M}]+/u;
/** However an apostrophe is typed: quotes, primes, accents on their own, letters that look like one. */
const apostrophe = /['’‘‛`´′ʹʼˈ՚＇ꞌ]/gu;
/** Letters of a word in Hawaiian and its like, which people leave out. */
const okina = /[ʻʿʾ]/gu;
const possessive = /(?<=\p{L})'s(?!\p{L})/gu;
const writtenWithoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const isAscii = /^[\x20-\x7e]*$/;
const plain = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

let segmenter: Intl.Segmenter | undefined;

/** Most texts: in lower case their words are what stands between the spaces. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

/** The words of a text as they are compared: plain, lower case, in order. */
export function normalize(text: string): string[] {
  return foldedRuns(text).flatMap((word) => (writtenWithoutSpaces.test(word) ? segment(word) : [word]));
}

/** The same, but what is written without blanks is one word. */
export function foldedRuns(text: string): string[] {
  if (isPlain(text)) return text.toLowerCase().split(" ");
  const lower = isAscii.test(text) ? text.toLowerCase().replaceAll("`", "'") : fold(text);
  return lower
    .replaceAll(possessive, "s")
    .split(notInWords)
    .filter((word) => word !== "");
}

/** One sign, with the marks that belong to it; the mark that prolongs a vowel is one of kana alone. */
const sign = String.raw`[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const signs = new RegExp(String.raw`${sign}\p{M}*|(?:(?!${sign}).)+`, "gsu");
const betweenSigns = new RegExp(String.raw`(?<=${sign}\p{M}*) (?=${sign})`, "gu");

/** A phrase without the blanks that part words which nobody parts. */
export function withoutPartings(phrase: string): string {
  return isAscii.test(phrase) ? phrase : phrase.replaceAll(betweenSigns, "");
}

/** A run in its signs where they have no blanks between them, else as it is. */
export function signsOf(run: string): string[] {
  return writtenWithoutSpaces.test(run) ? (run.match(signs) ?? []) : [run];
}

function fold(text: string): string {
  return text
    .replaceAll(apostrophe, "'")
    .replaceAll(okina, "")
    .normalize("NFKD")
    .replaceAll(accents, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(accents, "") // İ in lower case is an i and a separate dot
    .replaceAll(plainLetter, (letter) => plainLetters[letter] ?? letter);
}

function segment(run: string): string[] {
  segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
  return Array.from(segmenter.segment(run), ({ segment: word }) => word);
}
