import { languageFor, lexicon } from "../../languages/index.ts";

// How languages inflect the name of a town that something is in, or of. A form that is no name of a town does no harm,
// since every form is looked up. All are spelled as words are compared: without accents, in lower case. A whole word that
// stands for nothing is a postposition.

const latin = /^[a-z]/;
/** Names are tried in these languages first; in the others in the order of their tags. */
const triedFirst = "he am ga ar pl cs sk sl hr hu fi et lt lv tr ru uk bg sr kk ky be tg hi ne mr ja".split(" ");

type Rule = { affix: string; replacements: readonly string[] };
type Affixes = Readonly<Record<string, readonly string[]>>;

const inflecting = [...lexicon.keys()]
  .filter((tag) => affixesOf(tag).length > 0)
  .sort((one, other) => orderOf(one) - orderOf(other));
const beginnings = new Map(inflecting.map((tag) => [tag, rulesOf(lexicon.get(tag)?.inflections?.beginnings)]));
/** By their last letter: most rules of a language are passed over by that of a word. */
const endings = new Map(inflecting.map((tag) => [tag, byLastLetter(rulesOf(lexicon.get(tag)?.inflections?.endings))]));

/** Letters other than Latin ones, and the languages that inflect names in them. */
const languagesByScript: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Hangul}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Ethiopic}/u,
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
].map((script) => [script, inflecting.filter((tag) => script.test(affixesOf(tag)[0] ?? ""))]);

function affixesOf(tag: string): string[] {
  const { beginnings: first = {}, endings: last = {} } = lexicon.get(tag)?.inflections ?? {};
  return Object.keys({ ...first, ...last });
}

function orderOf(tag: string): number {
  const at = triedFirst.indexOf(tag);
  return at === -1 ? triedFirst.length : at;
}

function formsLike(language: string): string {
  return lexicon.get(languageFor(language))?.inflections?.like ?? languageFor(language);
}

const wordsMax = 3;
const formsMax = 40;

/** What the name of an area may be when it was inflected: "Krakowie" is Kraków, "Москве" is Москва; likely ones first. */
export function uninflected(words: readonly string[], languages: readonly string[]): string[] {
  if (words.length > wordsMax) return [];
  let phrases: string[][] = [[]];
  words.forEach((word, at) => {
    const forms = [word, ...formsOf(word, languagesOf(word, languages), at === 0)];
    phrases = phrases.flatMap((phrase) => forms.map((form) => (form === "" ? phrase : [...phrase, form])));
    phrases = phrases.slice(0, formsMax);
  });
  const typed = words.join(" ");
  return [...new Set(phrases.map((phrase) => phrase.join(" ")))].filter((form) => form !== typed && form !== "");
}

function formsOf(word: string, languages: readonly string[], isFirst: boolean): string[] {
  const forms: string[] = [];
  for (const language of languages) {
    for (const { affix, replacements } of endingsOf(word, language)) {
      if (!word.endsWith(affix)) continue;
      const stem = word.slice(0, -affix.length);
      if (stem === "") forms.push(...replacements.filter((each) => each === ""));
      else forms.push(...replacements.filter((each) => isStem(stem, each)).map((each) => stem + each));
    }
    for (const { affix, replacements } of isFirst ? (beginnings.get(language) ?? []) : []) {
      const stem = word.slice(affix.length);
      if (word.startsWith(affix) && isStem(stem)) forms.push(...replacements.map((each) => each + stem));
    }
  }
  return forms;
}

function endingsOf(word: string, language: string): readonly Rule[] {
  return endings.get(languageFor(language))?.get(word.charCodeAt(word.length - 1)) ?? [];
}

/** Less of a name says nothing, unless more of it follows; a syllable of Korean or a sign of Chinese is more than a letter. */
function isStem(stem: string, replacement = ""): boolean {
  return stem.length >= 3 || (stem.length === 2 && (!latin.test(stem) || replacement.length >= 2));
}

/** Letters tell a language better than anything else, unless they are Latin. */
function languagesOf(word: string, asked: readonly string[]): readonly string[] {
  if (!latin.test(word)) return languagesByScript.find(([script]) => script.test(word))?.[1] ?? [];
  return [...new Set(asked.map(formsLike))];
}

function byLastLetter(rules: readonly Rule[]): ReadonlyMap<number, readonly Rule[]> {
  return Map.groupBy(rules, ({ affix }) => affix.charCodeAt(affix.length - 1));
}

function rulesOf(affixes: Affixes = {}): readonly Rule[] {
  return Object.entries(affixes).map(([affix, replacements]) => ({ affix, replacements }));
}
