import { languageFor, type ReadLanguage } from "../../languages/index.ts";
import { otherFillers } from "./other-fillers.ts";

type ByLanguage = Readonly<Record<ReadLanguage, string>>;

// All words are spelled as they are compared: without accents, in lower case.

/** Words that stand between what and where. */
const prepositionsByLanguage: ByLanguage = {
  en: "in near at around by within inside",
  de: "in im bei beim nahe am um rund",
  fr: "a au aux en dans pres proche vers chez",
  es: "en cerca",
  it: "a ad in nei nel nella presso vicino intorno",
  pt: "em no na nos nas perto",
  nl: "in te bij nabij rond rondom op",
  ca: "a al als en prop vora",
};

/** Words that say a place is to be close to something, which need not be a town. */
const nearnessByLanguage: ByLanguage = {
  en: "near nearby by at around beside opposite close next",
  de: "nahe bei beim am neben gegenuber",
  fr: "pres proche proximite cote autour",
  es: "cerca junto lado frente",
  it: "vicino presso accanto fronte",
  pt: "perto proximo junto frente",
  nl: "bij nabij naast vlakbij dichtbij",
  ca: "prop vora costat davant",
};

/** The same in Malay, Indonesian, Arabic and Persian, which inflect no landmark behind it. */
const otherNearness = "dekat berdekatan berhampiran قرب بالقرب نزديك نزديكي";

/** What is left at either side of longer prepositions: "in der Nähe von", "à proximité de", "cerca de la". */
const linkingByLanguage: ByLanguage = {
  en: "in the of to close next",
  de: "der den dem die das nahe umgebung von um",
  fr: "de du des d la le les l proximite pres cote autour alentours environs",
  es: "de del la el los las cerca lado alrededor alrededores",
  it: "di da del al alla vicino dintorni vicinanze",
  pt: "de do da dos das perto redor arredores",
  nl: "de het buurt omgeving van naast dichtbij",
  ca: "a de d del dels la el els les l prop costat voltants voltant",
};

/** Articles, on their own or grown together with a preposition. */
const articlesByLanguage: ByLanguage = {
  en: "the a an",
  de: "der den dem die das",
  fr: "la le les l du des",
  es: "la el los las del",
  it: "il lo la i gli le l al alla del della",
  pt: "o a os as do da dos das",
  nl: "de het",
  ca: "la el els les l del dels",
};

/** Words beside a kind of place that say nothing about it. */
const fillersByLanguage: ByLanguage = {
  en: "with for that which has the a an of and best top good cheap affordable near nearby me my here around open now find some any please",
  de: "mit fur der die das ein eine und beste besten gute gutes guter gunstige gunstiges gunstig billige billiges billig bitte",
  fr: "avec pour le la les l un une et meilleur meilleurs meilleure meilleures bonne bonnes moi pres de du des",
  es: "con para que el la los las de y mejor mejores buen buena barato barata baratos baratas mi cerca",
  it: "con per il lo la gli i le e migliore migliori economico economica economici economiche me vicino",
  pt: "com para o os a as e melhor melhores barato barata baratos baratas mim perto",
  nl: "met voor het een en goede beste goedkope goedkoop mij",
  ca: "amb per el la els les un una i millor millors barat barata barats barates mi prop",
};

/** Words around the name of a town that only say that it is one, or mean its middle: "Luxembourg City". */
const townWordsByLanguage: ByLanguage = {
  en: "city town village centre center downtown old",
  de: "stadt innenstadt altstadt zentrum stadtmitte ortschaft",
  fr: "ville centre",
  es: "ciudad centro pueblo",
  it: "citta centro",
  pt: "cidade centro vila",
  nl: "stad centrum binnenstad",
  ca: "ciutat centre poble",
};

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const union = (table: ByLanguage): ReadonlySet<string> => setOf(Object.values(table).join(" "));

/** Those of every language read: who looks a place up afterwards need not know the language. */
export const prepositions = union(prepositionsByLanguage);
export const nearness: ReadonlySet<string> = new Set([...union(nearnessByLanguage), ...setOf(otherNearness)]);
export const linking = union(linkingByLanguage);

/** Whether a word only says how what and where belong together. */
export function isLink(word: string): boolean {
  return linking.has(word) || prepositions.has(word) || nearness.has(word);
}

export function withoutLinks(words: readonly string[]): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => !isLink(word)) + 1);
}
export const articles = union(articlesByLanguage);
export const fillers: ReadonlySet<string> = new Set([...union(fillersByLanguage), ...otherFillers()]);
export const townWords = union(townWordsByLanguage);

const byLanguage = (table: ByLanguage): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.entries(table).map(([language, words]) => [language, setOf(words)]));
const prepositionsOf = byLanguage(prepositionsByLanguage);
const articlesOf = byLanguage(articlesByLanguage);

/** Those of the requested language and of English, for who cannot look a place up. */
export function isPreposition(word: string, hl: string): boolean {
  return prepositionsOf.get(languageOf(hl))?.has(word) === true || prepositionsOf.get("en")?.has(word) === true;
}

/** Whether a word is an article in the requested language, though it may be a preposition in another: "find a dentist". */
export function isArticle(word: string, hl: string): boolean {
  return articlesOf.get(languageOf(hl))?.has(word) === true;
}

function languageOf(hl: string): string {
  const [language = "en"] = languageFor(hl).split("-", 1);
  return language;
}
