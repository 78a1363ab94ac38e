import type { Language } from "../language.ts";
import { collectTerms } from "../terms/collect.ts";
import { formatTerms } from "../terms/file.ts";
import { type LanguageFile, wholeLanguage } from "./read-files.ts";

/** What the service loads: the text of each file, by its name in the folder `compiled`. */
export function* compile(files: readonly LanguageFile[]): Iterable<[name: string, text: string]> {
  for (const { tag, faults } of files) if (faults[0] !== undefined) throw new Error(`${tag}.yaml: ${faults[0]}`);
  yield ["lexicon.json", formatLexicon(files)];
  for (const file of files) {
    yield [`terms/${file.tag}.txt`, formatTerms(collectTerms(file.tag, wholeLanguage(file, files)))];
  }
}

/** One language to a line. */
function formatLexicon(files: readonly LanguageFile[]): string {
  const lines = files.map(({ tag, content }) => `${JSON.stringify(tag)}:${JSON.stringify(loadedPart(content))}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

/** What only the terms are made of. */
const spelling: ReadonlySet<string> = new Set(["kinds", "plurals", "variants", "latin"]);

function loadedPart(content: Language): Language {
  return Object.fromEntries(Object.entries(content).filter(([section]) => !spelling.has(section)));
}
