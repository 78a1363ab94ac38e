import { languageFor } from "../../languages/index.ts";
import { normalize } from "../../text/normalize.ts";

const known = new Map<string, ReadonlySet<string>>();

/** The words for *or* and *and*, in the requested language and in English, as CLDR lists things with them. */
export function conjunctionsOf(hl: string): ReadonlySet<string> {
  const language = languageFor(hl);
  let words = known.get(language);
  if (!words) known.set(language, (words = new Set([language, "en"].flatMap(listWords))));
  return words;
}

function listWords(language: string): string[] {
  return (["disjunction", "conjunction"] as const).flatMap((type) =>
    new Intl.ListFormat(language, { type })
      .formatToParts(["1", "2"])
      .flatMap((part) => (part.type === "literal" ? normalize(part.value) : [])),
  );
}
