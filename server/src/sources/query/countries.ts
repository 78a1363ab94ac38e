import { readLanguages } from "../vocabulary/index.ts";
import { phraseOf } from "./words.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
// Not countries, although the language data names them.
const others = new Set(["EU", "EZ", "UN", "QO", "ZZ"]);

let codesByName: Map<string, string> | undefined;

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
  for (const language of readLanguages) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const first of letters) {
      for (const second of letters) {
        const code = first + second;
        const name = first === "X" && second !== "K" ? undefined : names.of(code);
        const phrase = phraseOf(name ?? "");
        if (phrase !== "" && !others.has(code) && !codes.has(phrase)) codes.set(phrase, code);
      }
    }
  }
  return codes;
}
