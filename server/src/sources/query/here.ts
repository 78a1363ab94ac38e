import type { ReadLanguage } from "../vocabulary/index.ts";

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
  ],
  de: [
    ..."in der nahe,in meiner nahe,in der nahe von mir,hier in der nahe,nahe bei mir,nah bei mir,bei mir".split(","),
    ..."bei mir in der nahe,in der umgebung,in meiner umgebung,um mich herum,rund um mich,hier,nahe mir".split(","),
    ..."neben mir,um die ecke,nachste,nachster,nachstes,nachstgelegene,in der nachbarschaft".split(","),
  ],
  fr: [
    ..."pres de moi,pres d ici,a proximite,a proximite de moi,autour de moi,autour d ici,proche de moi,proche".split(
      ",",
    ),
    ..."pres de chez moi,a cote de moi,a cote,ici,dans le coin,aux alentours,dans les environs,dans le quartier".split(
      ",",
    ),
    ..."le plus proche,la plus proche,plus proche,proche d ici".split(","),
  ],
  es: [
    ..."cerca de mi,cerca mio,cerca mia,cerca de aqui,cerca,aqui cerca,aqui,por aqui,junto a mi,a mi alrededor".split(
      ",",
    ),
    ..."cerca de mi ubicacion,en los alrededores,en mi zona,mas cercano,mas cercana,cercano,cercana".split(","),
    ..."cercanos,cercanas,mas cerca,en la zona".split(","),
  ],
  it: [
    ..."vicino a me,vicino,vicina a me,vicini a me,vicine a me,qui vicino,vicino a qui,nelle vicinanze,nei dintorni".split(
      ",",
    ),
    ..."nei paraggi,intorno a me,accanto a me,in zona,qui,piu vicino,piu vicina,vicina,vicini,vicine".split(","),
    ..."nella mia zona,presso di me".split(","),
  ],
  pt: [
    ..."perto de mim,perto daqui,perto,aqui perto,por perto,proximo de mim,proximo a mim,proximo,proxima de mim".split(
      ",",
    ),
    ..."nas proximidades,ao meu redor,aqui,na minha zona,na minha area,mais proximo,mais proxima,junto a mim".split(
      ",",
    ),
  ],
  nl: [
    ..."bij mij in de buurt,in de buurt,in mijn buurt,dichtbij,dicht bij mij,vlakbij,vlak bij mij,bij mij,hier".split(
      ",",
    ),
    ..."om mij heen,in de omgeving,in mijn omgeving,nabij mij,dicht bij,naast mij,hier in de buurt,om de hoek".split(
      ",",
    ),
    ..."dichtstbijzijnde".split(","),
  ],
  ca: [
    ..."a prop meu,a prop de mi,a prop,prop meu,prop de mi,a prop d aqui,prop d aqui,aqui,per aqui,a la vora".split(
      ",",
    ),
    ..."al meu voltant,pels voltants,aqui a prop,mes proper,mes propera".split(","),
  ],
};

const phrases: ReadonlySet<string> = new Set(Object.values(phrasesByLanguage).flat());
const wordsMax = Math.max(...[...phrases].map((phrase) => phrase.split(" ").length));

/** Every phrase that means *here*, by language. */
export const herePhrases = phrasesByLanguage;

/** The words without a phrase that means *here* at their end or beginning; undefined when there is none. */
export function withoutHere(words: readonly string[]): readonly string[] | undefined {
  for (let count = Math.min(wordsMax, words.length); count >= 1; count -= 1) {
    const end = words.length - count;
    if (phrases.has(words.slice(end).join(" "))) return words.slice(0, end);
    if (phrases.has(words.slice(0, count).join(" "))) return words.slice(count);
  }
  return undefined;
}
