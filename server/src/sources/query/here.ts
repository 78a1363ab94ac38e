import type { ReadLanguage } from "../../languages/index.ts";
import { linking, prepositions } from "./languages.ts";
import { otherHerePhrases } from "./other-here.ts";

// Spelled as words are compared: without accents and apostrophes, in lower case.
const phrasesByLanguage: Readonly<Record<ReadLanguage, readonly string[]>> = {
  en: [
    ..."near me,nearby,near here,near by,close to me,close by,closest to me,nearest to me,around me,around here".split(
      ",",
    ),
    ..."next to me,in my area,in the area,in this area,in my neighborhood,in the neighborhood,here,right here".split(
      ",",
    ),
    ..."near my location,my location,where i am,nearest,closest,in my city,in my town,around the corner,local".split(
      ",",
    ),
    ..."in my vicinity,in the vicinity,within walking distance,walking distance,near where i am,round here".split(","),
  ],
  de: [
    ..."in der nahe,in meiner nahe,in der nahe von mir,hier in der nahe,nahe bei mir,nah bei mir,bei mir".split(","),
    ..."bei mir in der nahe,in der umgebung,in meiner umgebung,um mich herum,rund um mich,hier,nahe mir".split(","),
    ..."neben mir,um die ecke,nachste,nachster,nachstes,nachstgelegene,in der nachbarschaft".split(","),
    ..."in der gegend,hier in der gegend,in unmittelbarer nahe,bei mir um die ecke,im umkreis,in laufnahe,zu fuss".split(
      ",",
    ),
  ],
  fr: [
    ..."pres de moi,pres d ici,a proximite,a proximite de moi,autour de moi,autour d ici,proche de moi,proche".split(
      ",",
    ),
    ..."pres de chez moi,a cote de moi,a cote,ici,dans le coin,aux alentours,dans les environs,dans le quartier".split(
      ",",
    ),
    ..."le plus proche,la plus proche,plus proche,proche d ici".split(","),
    ..."a cote de chez moi,a deux pas,a pied,tout pres,non loin".split(","),
  ],
  es: [
    ..."cerca de mi,cerca mio,cerca mia,cerca de aqui,cerca,aqui cerca,aqui,por aqui,junto a mi,a mi alrededor".split(
      ",",
    ),
    ..."cerca de mi ubicacion,en los alrededores,en mi zona,mas cercano,mas cercana,cercano,cercana".split(","),
    ..."cercanos,cercanas,mas cerca,en la zona".split(","),
    ..."cerca de donde estoy,alrededor mio,a pie,proxima,proximo".split(","),
  ],
  it: [
    ..."vicino a me,vicino,vicina a me,vicini a me,vicine a me,qui vicino,vicino a qui,nelle vicinanze,nei dintorni".split(
      ",",
    ),
    ..."nei paraggi,intorno a me,accanto a me,in zona,qui,piu vicino,piu vicina,vicina,vicini,vicine".split(","),
    ..."nella mia zona,presso di me".split(","),
    ..."a due passi,a piedi,qua vicino,qui intorno".split(","),
  ],
  pt: [
    ..."perto de mim,perto daqui,perto,aqui perto,por perto,proximo de mim,proximo a mim,proximo,proxima de mim".split(
      ",",
    ),
    ..."nas proximidades,ao meu redor,aqui,na minha zona,na minha area,mais proximo,mais proxima,junto a mim".split(
      ",",
    ),
    ..."nas redondezas,a minha volta,a pe,mais perto,mais perto de mim".split(","),
  ],
  nl: [
    ..."bij mij in de buurt,in de buurt,in mijn buurt,dichtbij,dicht bij mij,vlakbij,vlak bij mij,bij mij,hier".split(
      ",",
    ),
    ..."om mij heen,in de omgeving,in mijn omgeving,nabij mij,dicht bij,naast mij,hier in de buurt,om de hoek".split(
      ",",
    ),
    ..."dichtstbijzijnde".split(","),
    ..."op loopafstand,hier dichtbij,dichtbij mij,het dichtstbij".split(","),
  ],
  ca: [
    ..."a prop meu,a prop de mi,a prop,prop meu,prop de mi,a prop d aqui,prop d aqui,aqui,per aqui,a la vora".split(
      ",",
    ),
    ..."al meu voltant,pels voltants,aqui a prop,mes proper,mes propera".split(","),
    ..."al voltant,prop d on soc,a peu,mes a prop".split(","),
  ],
};

let known: { phrases: ReadonlySet<string>; wordsMax: number } | undefined;

/** Those of all languages, collected for the first question: some are taken apart letter by letter. */
function collect() {
  const phrases = new Set([...Object.values(phrasesByLanguage).flat(), ...otherHerePhrases()]);
  return { phrases, wordsMax: Math.max(...[...phrases].map((phrase) => phrase.split(" ").length)) };
}

/** Whether the words are a phrase that means *here*, and nothing else. */
export function isHere(words: readonly string[]): boolean {
  const { phrases, wordsMax } = (known ??= collect());
  return words.length <= wordsMax && phrases.has(words.join(" "));
}

/** Every phrase that means *here*, by language. */
export const herePhrases = phrasesByLanguage;

/** Whose town, street or position it is: "in my street", "in meiner Stadt", "vicino alla mia posizione". */
const possessives: ReadonlySet<string> = new Set(
  "my mein meine meinem meinen meiner ma mon mes mi mis mia mio minha meu mijn meva meves".split(" "),
);
const ownWordsMax = 2;

/** The words without a phrase that means *here* at their end or beginning; undefined when there is none. */
export function withoutHere(words: readonly string[]): readonly string[] | undefined {
  const { phrases, wordsMax } = (known ??= collect());
  for (let count = Math.min(wordsMax, words.length); count >= 1; count -= 1) {
    const end = words.length - count;
    if (phrases.has(words.slice(end).join(" "))) return words.slice(0, end);
    if (phrases.has(words.slice(0, count).join(" "))) return words.slice(count);
  }
  return withoutOwn(words) ?? withoutRadius(words);
}

/** Without what is the asker's own, behind a preposition at the end. */
function withoutOwn(words: readonly string[]): readonly string[] | undefined {
  for (let at = words.length - 2; at >= Math.max(2, words.length - 1 - ownWordsMax); at -= 1) {
    if (possessives.has(words[at] ?? "") && isLink(words[at - 1])) return withoutLinks(words.slice(0, at));
  }
  return undefined;
}

const distance =
  /^\d+ ?(?:k?m|mi|miles?|meters?|metres?|metri|metros?|kilometers?|kilometres?|chilometri|kilometros?|min|minutes?)$/;
const radiusWords: ReadonlySet<string> = new Set(
  "within umkreis rayon radio raggio raio radi straal binnen un um een einem einer".split(" "),
);

/** Without how far away a place may be: "within 2 km", "im Umkreis von 5 km". How far a search looks is the map's to say. */
function withoutRadius(words: readonly string[]): readonly string[] | undefined {
  const count = [1, 2].find((each) => distance.test(words.slice(-each).join(" ")));
  const before = count === undefined ? "" : (words.at(-count - 1) ?? "");
  if (count === undefined || !(isLink(before) || radiusWords.has(before))) return undefined;
  return withoutLinks(words.slice(0, -count), radiusWords);
}

function withoutLinks(words: readonly string[], others?: ReadonlySet<string>): readonly string[] | undefined {
  const end = words.findLastIndex((word) => !isLink(word) && others?.has(word) !== true) + 1;
  return end === 0 ? undefined : words.slice(0, end);
}

function isLink(word = ""): boolean {
  return linking.has(word) || prepositions.has(word);
}
