import { readLanguages } from "../vocabulary/index.ts";
import { phraseOf } from "./words.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
// Not countries, although the language data names them.
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ"]);
// Nor any more: the Netherlands Antilles would go by the name of Curaçao.
const former = new Set("AN BU CS DD DY FX HV NH NT QU RH SU TP UK VD YD YU ZR".split(" "));

let codesByName: Map<string, string> | undefined;

export function warmCountries() {
  codesByName ??= collect();
}

/** The code of a country by its name in one of the languages queries are read in. */
export function countryNamed(phrase: string): string | undefined {
  codesByName ??= collect();
  return codesByName.get(phrase);
}

/** What people call countries besides, or called them before; none that names of businesses often have, such as "Wales". */
const otherNames: Readonly<Record<string, string>> = {
  AE: "uae",
  BA: "bosnia, bosnia and herzegovina, bosnien",
  CD: "dr congo, drc, democratic republic of the congo",
  CG: "congo, republic of the congo",
  CI: "ivory coast",
  CV: "cabo verde",
  CZ: "czech republic",
  GB: "uk, england, great britain",
  HK: "hong kong, hongkong",
  IE: "republic of ireland",
  KR: "republic of korea",
  MK: "macedonia",
  MM: "burma, myanmar",
  MO: "macau, macao",
  NL: "holland, the netherlands",
  PS: "palestine, palastina, palestina",
  RU: "russian federation",
  SJ: "svalbard",
  SZ: "swaziland",
  TL: "east timor",
  TR: "turkey",
  TZ: "united republic of tanzania",
  US: "usa, united states of america",
  VA: "vatican, holy see",
  VN: "viet nam",
};

function collect(): Map<string, string> {
  const codes = new Map<string, string>();
  for (const [code, names] of Object.entries(otherNames)) for (const name of names.split(", ")) codes.set(name, code);
  // A code that English has no name for has none in the others: asking costs more than the names do.
  const english = namesIn("en");
  const isNamed = (code: string) => mayBeCountry(code) && english.of(code) !== undefined;
  const known = letters.flatMap((first) => letters.map((second) => first + second)).filter(isNamed);
  for (const language of readLanguages) {
    const names = namesIn(language);
    for (const code of known) {
      const phrase = phraseOf(names.of(code) ?? "");
      if (phrase !== "" && !codes.has(phrase)) codes.set(phrase, code);
    }
  }
  return codes;
}

function mayBeCountry(code: string): boolean {
  const isPrivate = code.startsWith("X") && code !== "XK";
  return !isPrivate && !others.has(code) && !former.has(code);
}

function namesIn(language: string) {
  return new Intl.DisplayNames([language], { type: "region", fallback: "none" });
}
