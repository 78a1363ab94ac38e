import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import type { Language } from "../language.ts";
import { readContent } from "./schema.ts";

/** A file of a language, and what is wrong with it as a file: then it has no content. */
export type LanguageFile = { tag: string; content: Language; faults: readonly string[] };

const ending = ".yaml";

/** The files of all languages in a folder, in the order of their tags. */
export function readLanguageFiles(folder: string): LanguageFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => parseLanguage(file.slice(0, -ending.length), readFileSync(join(folder, file), "utf8")));
}

export function parseLanguage(tag: string, text: string): LanguageFile {
  const document = parseDocument(text);
  const faults = document.errors.map(({ message }) => message);
  return { tag, ...(faults.length > 0 ? { content: {}, faults } : readContent(document.toJS())) };
}

/** A language with the words and rules of the one that it extends. */
export function wholeLanguage(file: LanguageFile, files: readonly LanguageFile[]): Language {
  const base = files.find(({ tag }) => tag === file.content.extends)?.content;
  if (!base) return file.content;
  return { ...base, ...file.content, kinds: { ...base.kinds, ...file.content.kinds } };
}
