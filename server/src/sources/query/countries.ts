import { readLanguages } from "../vocabulary/index.ts";
import { phraseOf } from "./words.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
// Not countries, although the language data names them.
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ"]);

let codesByName: Map<string, string> | undefined;

export function warmCountries() {
  codesByName ??= collect();
}

/** The code of a country by its name in one of the languages queries are read in. */
export function countryNamed(phrase: string): string | undefined {
  codesByName ??= collect();
  return codesByName.get(phrase);
}

function collect(): Map<string, string> {
  const codes = new Map<string, string>([
    ["usa", "US"],
    ["uk", "GB"],
    ["england", "GB"],
    ["holland", "NL"],
    ["uae", "AE"],
  ]);
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
  return !isPrivate && !others.has(code);
}

function namesIn(language: string) {
  return new Intl.DisplayNames([language], { type: "region", fallback: "none" });
}
