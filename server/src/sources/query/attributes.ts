import { type ReadLanguage, readLanguages } from "../../languages/index.ts";
import { longestByFirstWord } from "../../text/phrases.ts";
import { otherAttributePhrases } from "./other-attributes.ts";

/**
 * What a place may have besides its kind, by the id that the index knows it by. `open_now` is in no
 * index: it hangs on the clock.
 */
export type AttributeId =
  | "@open_24h"
  | "@open_now"
  | "@vegan"
  | "@vegetarian"
  | "@halal"
  | "@kosher"
  | "@gluten_free"
  | "@outdoor_seating"
  | "@takeaway"
  | "@delivery"
  | "@wheelchair"
  | "@wifi"
  | "@dogs"
  | "@drive_through"
  | "@atm"
  | `@stars_${1 | 2 | 3 | 4 | 5}`;

type Phrases = Readonly<Record<ReadLanguage, string>>;

// Spelled as words are compared: without accents, hyphens and apostrophes, in lower case.
// prettier-ignore
const phrasesByAttribute: readonly (readonly [AttributeId, Phrases])[] = [
  ["@open_24h", { en: "24 hour,24 hours,24h,24 hr,24 hrs,open 24 hours,24 7,open 24 7,24 hours open,all night,around the clock", de: "24 stunden,24h,24 h,24 stunden geoffnet,rund um die uhr,durchgehend geoffnet,24 7", fr: "24h 24,24 heures,24 24,24h,ouvert 24h,ouvert 24h 24,24h sur 24,24h 24 7j 7,24 heures sur 24,ouverte 24h 24", es: "24 horas,24h,abierto 24 horas,abierta 24 horas", it: "24 ore,24 ore su 24,24h,aperto 24 ore,aperta 24 ore,h24", pt: "24 horas,24h,aberto 24 horas,aberta 24 horas", nl: "24 uur,24 uurs,24 uur open,24 uur geopend,24h", ca: "24 hores,24h,obert 24 hores,oberta 24 hores" }],
  ["@open_now", { en: "open now,now open,currently open,open", de: "jetzt geoffnet,jetzt offen,geoffnet,gerade geoffnet,offen", fr: "ouvert maintenant,ouverte maintenant,ouverts maintenant,ouvert,ouverte", es: "abierto ahora,abierta ahora,abiertos ahora,abierto,abierta", it: "aperto ora,aperta ora,aperti ora,aperto adesso,aperta adesso,aperto,aperta", pt: "aberto agora,aberta agora,abertos agora,aberto,aberta", nl: "nu open,nu geopend,open nu,geopend", ca: "obert ara,oberta ara,oberts ara,obert,oberta" }],
  ["@vegan", { en: "vegan", de: "vegan,vegane,veganes,veganer", fr: "vegan,vegane,vegetalien,vegetalienne", es: "vegano,vegana,veganos,veganas", it: "vegano,vegana,vegani,vegane", pt: "vegano,vegana,veganos,veganas", nl: "vegan,veganistisch,veganistische", ca: "vega,vegana,vegans,veganes" }],
  ["@vegetarian", { en: "vegetarian,veggie", de: "vegetarisch,vegetarisches,vegetarische,vegetarischer", fr: "vegetarien,vegetarienne,vegetariens", es: "vegetariano,vegetariana,vegetarianos", it: "vegetariano,vegetariana,vegetariani", pt: "vegetariano,vegetariana,vegetarianos", nl: "vegetarisch,vegetarische", ca: "vegetaria,vegetariana,vegetarians" }],
  ["@halal", { en: "halal", de: "halal", fr: "halal", es: "halal", it: "halal", pt: "halal", nl: "halal", ca: "halal" }],
  ["@kosher", { en: "kosher", de: "koscher,koschere,koscheres", fr: "casher,cacher,kasher", es: "kosher", it: "kosher", pt: "kosher", nl: "koosjer,kosher", ca: "kosher,caixer kosher" }],
  ["@gluten_free", { en: "gluten free,glutenfree,celiac", de: "glutenfrei,glutenfreie,glutenfreies", fr: "sans gluten", es: "sin gluten", it: "senza glutine", pt: "sem gluten", nl: "glutenvrij,glutenvrije", ca: "sense gluten" }],
  ["@outdoor_seating", { en: "outdoor seating,outdoor,outside seating,patio,terrace,beer garden,al fresco,outdoor tables", de: "aussenbestuhlung,terrasse,aussensitzplatze,gastgarten,garten,draussen sitzen", fr: "terrasse,en terrasse", es: "terraza", it: "all aperto,tavoli all aperto,dehors,terrazza", pt: "esplanada,terraco,ao ar livre", nl: "terras,met terras", ca: "terrassa" }],
  ["@takeaway", { en: "takeaway,take away,takeout,take out,to go,carry out", de: "zum mitnehmen,take away,mitnehmen,abholung", fr: "a emporter,vente a emporter", es: "para llevar,comida para llevar", it: "da asporto,asporto,take away", pt: "takeaway,para levar,take away,para viagem", nl: "afhalen,afhaal,om mee te nemen,take away", ca: "per emportar,per endur,menjar per emportar" }],
  ["@delivery", { en: "delivery,delivers,home delivery", de: "lieferung,lieferdienst,lieferservice", fr: "livraison,livraison a domicile", es: "a domicilio,entrega a domicilio,reparto a domicilio,delivery", it: "consegna a domicilio,a domicilio,consegna", pt: "entrega,entrega ao domicilio,delivery,entregas", nl: "bezorging,bezorgen,bezorgd,bezorgdienst", ca: "a domicili,entrega a domicili" }],
  ["@wheelchair", { en: "wheelchair,wheelchair accessible,accessible,wheelchair access,step free", de: "rollstuhlgerecht,rollstuhl,barrierefrei,barrierefreies,barrierefreie", fr: "accessible,fauteuil roulant,accessible pmr,pmr,accessible en fauteuil roulant", es: "accesible,silla de ruedas,accesible en silla de ruedas", it: "accessibile,sedia a rotelle,accessibile in sedia a rotelle,disabili", pt: "acessivel,cadeira de rodas,acessivel a cadeira de rodas", nl: "rolstoeltoegankelijk,rolstoel,rolstoelvriendelijk", ca: "accessible,cadira de rodes" }],
  ["@wifi", { en: "wifi,wi fi,free wifi,free wi fi,internet,wlan", de: "wlan,wifi,wi fi,internet,gratis wlan", fr: "wifi,wi fi,wifi gratuit", es: "wifi,wi fi,wifi gratis", it: "wifi,wi fi,wifi gratuito,wifi gratis", pt: "wifi,wi fi,wifi gratis", nl: "wifi,wi fi,gratis wifi", ca: "wifi,wi fi,wifi gratis" }],
  ["@dogs", { en: "dog friendly,dogs allowed,pet friendly,dogs welcome,dogs", de: "hundefreundlich,hunde erlaubt,hunde willkommen,mit hund", fr: "chiens acceptes,animaux acceptes,chien accepte,chiens admis", es: "admite perros,se admiten perros,perros,admite mascotas,pet friendly", it: "cani ammessi,animali ammessi,pet friendly,dog friendly", pt: "aceita caes,aceita animais,pet friendly", nl: "hondvriendelijk,honden toegestaan,honden welkom", ca: "admet gossos,gossos,s admeten gossos" }],
  ["@drive_through", { en: "drive through,drive thru,drivethrough,drive in", de: "drive in,drive through,autoschalter,mcdrive", fr: "drive,service au volant", es: "autoservicio en coche,drive thru,para coche", it: "drive through,drive in,drive", pt: "drive thru,drive through,drive in", nl: "drive through,drive in,drive thru", ca: "drive in,drive through" }],
];

// prettier-ignore
const numbers: Readonly<Record<ReadLanguage, readonly string[]>> = {
  en: ["one", "two", "three", "four", "five"], de: ["ein", "zwei", "drei", "vier", "funf"], fr: ["une", "deux", "trois", "quatre", "cinq"], es: ["una", "dos", "tres", "cuatro", "cinco"],
  it: ["una", "due", "tre", "quattro", "cinque"], pt: ["uma", "duas", "tres", "quatro", "cinco"], nl: ["een", "twee", "drie", "vier", "vijf"], ca: ["una", "dues", "tres", "quatre", "cinc"],
};
// prettier-ignore
const stars: Readonly<Record<ReadLanguage, readonly string[]>> = {
  en: ["star", "stars"], de: ["sterne", "stern", "sternehotel"], fr: ["etoile", "etoiles"], es: ["estrella", "estrellas"],
  it: ["stella", "stelle"], pt: ["estrela", "estrelas"], nl: ["ster", "sterren"], ca: ["estrella", "estrelles"],
};

/** Collected for the first question: some phrases are taken apart letter by letter. */
let known: { byPhrase: ReadonlyMap<string, AttributeId>; longest: ReadonlyMap<string, number> } | undefined;

/** An attribute that a query names, and the bits of the words that name it. */
export type Attribute = { id: AttributeId; mask: number };

/** The attributes among the words of a query, by the longest phrases; the words in `takenMask` mean something else. */
export function readAttributes(words: readonly string[], takenMask: number): Attribute[] {
  const { byPhrase, longest } = (known ??= collect());
  const attributes: Attribute[] = [];
  for (let from = 0; from < words.length; from += 1) {
    const countMax = longest.get(words[from] ?? "") ?? 0;
    for (let count = Math.min(countMax, words.length - from); count >= 1; count -= 1) {
      const mask = ((1 << count) - 1) << from;
      if ((mask & takenMask) !== 0) continue;
      const id = byPhrase.get(count === 1 ? (words[from] ?? "") : words.slice(from, from + count).join(" "));
      if (id === undefined) continue;
      attributes.push({ id, mask });
      from += count - 1;
      break;
    }
  }
  return attributes;
}

function collect(): NonNullable<typeof known> {
  const attributes = new Map<string, AttributeId>();
  for (const [id, phrases] of phrasesByAttribute) {
    for (const phrase of Object.values(phrases).join(",").split(",")) {
      if (!attributes.has(phrase)) attributes.set(phrase, id);
    }
  }
  for (const language of readLanguages) {
    for (const word of stars[language]) {
      for (const [index, number] of numbers[language].entries()) {
        const id = `@stars_${index + 1}` as AttributeId; // five numbers, one to five
        attributes.set(`${index + 1} ${word}`, id).set(`${number} ${word}`, id);
      }
    }
  }
  for (const [phrase, id] of otherAttributePhrases()) if (!attributes.has(phrase)) attributes.set(phrase, id);
  return { byPhrase: attributes, longest: longestByFirstWord(attributes.keys()) };
}
