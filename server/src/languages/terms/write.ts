// Writes the terms of languages: collecting those of one holds a process for up to a tenth of a second.
// Run after a change of the vocabulary, or of how words are normalized: npm run terms
import { writeFile } from "node:fs/promises";
import { languages } from "../data.ts";
import { isWritten, termsFile } from "../terms.ts";
import { collectTerms } from "./collect.ts";
import { formatTerms } from "./file.ts";

for (const language of languages.filter(isWritten)) {
  await writeFile(termsFile(language), formatTerms(collectTerms(language)));
}
