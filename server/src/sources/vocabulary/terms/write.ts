// Writes the terms of the languages that questions are read in: collecting them would take half a second of every start.
// Run after a change of the vocabulary, or of how words are normalized: npm run terms
import { writeFile } from "node:fs/promises";
import { readLanguages } from "../everyday.ts";
import { termsFile } from "../terms.ts";
import { collectTerms } from "./collect.ts";
import { formatTerms } from "./file.ts";

for (const language of readLanguages) await writeFile(termsFile(language), formatTerms(collectTerms(language)));
