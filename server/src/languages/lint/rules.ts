import { tagsOfCategory } from "../../kinds/index.ts";
import { normalize } from "../../text/normalize.ts";
import type { LanguageFile } from "../compile/read-files.ts";
import { idleWords } from "./idle-words.ts";

/** A word as a file states it: in a section, with what it stands for there. */
type Statement = { section: string; meaning: string; word: string };

/** A rule, and what breaks it in a file, one sentence each. */
type Rule = (file: LanguageFile, files: readonly LanguageFile[]) => Iterable<string>;

/** Every rule that a language's file keeps; the first one that finds something tells the most. */
export const rules = {
  "unreadable file": function* ({ faults }) {
    yield* faults;
  },
  "unknown kind": function* ({ content }) {
    for (const kinds of Object.keys(content.kinds ?? {})) {
      for (const kind of kinds.split(" ")) if (tagsOfCategory(kind) === undefined) yield kind;
    }
  },
  "unknown language": function* ({ content }, files) {
    for (const tag of [content.extends, content.inflections?.like]) {
      if (tag !== undefined && !files.some((file) => file.tag === tag)) yield tag;
    }
  },
  "served twice": function* ({ tag, content }, files) {
    for (const served of content.serves ?? []) {
      const others = files.filter((file) => file.tag !== tag);
      if (others.some((other) => other.tag === served || other.content.serves?.includes(served))) yield served;
    }
  },
  "same word twice": function* (file) {
    for (const { section, word, others } of repeated(file)) {
      if (others.length === 0) yield `${section}: ${word}`;
    }
  },
  contradiction: function* (file) {
    for (const { section, word, meaning, others } of repeated(file)) {
      if (others.length > 0) yield `${section}: ${word} is ${[meaning, ...others].join(" and ")}`;
    }
  },
  "mixed scripts": function* (file) {
    for (const { section, word } of statementsOf(file)) {
      if (normalize(word).some((each) => scriptsIn(each) > 1)) yield `${section}: ${word}`;
    }
  },
  "not NFC": function* (file) {
    for (const { section, word } of statementsOf(file)) if (word !== word.normalize("NFC")) yield `${section}: ${word}`;
  },
  "changes nothing": function* (file, files) {
    for (const { section, word } of statementsOf(file)) if (isIdle(word)) yield `${section}: ${word}`;
    for (const word of idleWords(file, files)) yield `kinds: ${word}`;
  },
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

/** What is wrong with the files, in the order of their tags. */
export function* faultsOf(files: readonly LanguageFile[]): Iterable<{ tag: string; rule: RuleName; what: string }> {
  for (const file of files) {
    for (const [rule, find] of Object.entries(rules) as [RuleName, Rule][]) {
      for (const what of find(file, files)) yield { tag: file.tag, rule, what };
    }
  }
}

/** All words of a file. The parts of a link may be words of several. */
function* statementsOf({ content }: LanguageFile): Iterable<Statement> {
  for (const section of [
    "kinds",
    "attributes",
    "times",
    "clock",
    "countries",
    "streets",
    "ordinals",
    "names",
    "headings",
    "closed",
  ] as const) {
    for (const [meaning, words] of Object.entries(content[section] ?? {})) {
      for (const word of words) yield { section, meaning, word };
    }
  }
  for (const [role, words] of Object.entries(content.links ?? {})) {
    for (const word of words) yield { section: `links ${role}`, meaning: role, word };
  }
  for (const section of ["here", "mine", "radius", "fillers", "articles", "towns"] as const) {
    for (const word of content[section] ?? []) yield { section, meaning: section, word };
  }
}

/** Words that a section states more than once, and what else they stand for there. */
function* repeated(file: LanguageFile): Iterable<Statement & { others: readonly string[] }> {
  const bySection = Map.groupBy(statementsOf(file), ({ section, word }) => `${section}\n${keyOf(section, word)}`);
  for (const [first, ...again] of bySection.values()) {
    if (!first || again.length === 0) continue;
    const meanings = new Set(again.map(({ meaning }) => meaning));
    meanings.delete(first.meaning);
    yield { ...first, others: [...meanings] };
  }
}

/** Words are the same when nobody could tell them apart where they are compared; `#` is a number before stars. */
function keyOf(section: string, word: string): string {
  if (section === "closed") return word.normalize("NFC").toLowerCase();
  return normalize(word.replace("#", "1")).join(section === "headings" ? "" : " ");
}

/** Nothing is left of it where words are compared. */
function isIdle(word: string): boolean {
  return normalize(word).length === 0;
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Hangul}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
];

function scriptsIn(word: string): number {
  return scripts.filter((script) => script.test(word)).length;
}
