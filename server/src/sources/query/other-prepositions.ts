import { normalize } from "../vocabulary/index.ts";

/** Words that stand between what and where in languages of which no more than the kinds of place are known. */
const prepositionsByLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    ru: "в во на около возле",
    uk: "в у на біля",
    bg: "в във на край",
    sr: "у на u na kod",
    hr: "u na kod",
    sl: "v na pri",
    pl: "w we na koło obok",
    cs: "v ve na u",
    sk: "v vo na pri",
    ro: "în la lângă",
    sv: "i på nära",
    da: "i på nær",
    nb: "i på nær",
    el: "σε στη στην στο στον κοντά",
    ar: "في قرب",
    id: "di dekat",
  }).map(([language, words]) => [language, new Set(normalize(words))]),
);

export function isOtherPreposition(word: string, hl: string): boolean {
  const [language = ""] = hl.toLowerCase().split("-", 1);
  return prepositionsByLanguage.get(language)?.has(word) === true;
}
