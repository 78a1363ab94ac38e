import type { DatabaseSync } from "node:sqlite";
import { editDistance, typosBetween } from "../text/edit-distance.ts";
import { keyOf } from "./keys.ts";
import type { Clause, Term } from "./port.ts";
import { keyTypes, type KeyType, type ListType, listTypes } from "./schema.ts";
import { readStreet, streetOf } from "./streets.ts";
import { beginMax } from "./terms.ts";
import { oddHours, type OpenHours } from "./weeks.ts";
import { editKeys } from "./word-edits.ts";

/** How well a place meets a word: of its name, the beginning of one, elsewhere, with one or two edits. */
const grades = { written: 1, begun: 9 / 12, elsewhere: 8 / 12, edits: [0, 6 / 12, 4 / 12] } as const;

/** A list of places that meet a clause, how well they do, and how many there are. */
export type MeetingList = { list: number; grade: number; places: number };

/** A clause with the lists and keys that lead to the places that meet it. */
export type Compiled = Clause & {
  lists: readonly MeetingList[];
  keys: readonly number[];
  /** Hours that no list leads to. */
  hours: readonly OpenHours[];
  isWord: boolean;
  isKind: boolean;
};

type TermRow = [term: number, firsts: number, others: number];
type TextRow = [...TermRow, text: string];

/** Looks the terms of clauses up. */
export function createCompiler(db: DatabaseSync) {
  const byText = db.prepare("select term, firsts, others from terms where text = ? and type = ?");
  const byBeginning = db.prepare("select term, firsts, others from terms where text > ? and text < ? and type = ?");
  const byEdit = db.prepare(`
    select t.term, t.firsts, t.others, t.text
    from term_edits e cross join terms t
    where e.edit = ? and t.term = e.term and t.type = ${numberOf("word")}`);
  for (const statement of [byText, byBeginning, byEdit]) statement.setReturnArrays(true);
  const common = readCommon(db);

  function compile(clause: Clause): Compiled {
    const best = new Map<number, MeetingList>();
    const add = (list: number, grade: number, places: number) => {
      const known = best.get(list);
      if (places > 0 && (!known || known.grade < grade)) best.set(list, { list, grade, places });
    };
    for (const term of clause.any) {
      if (term.type === "word") addWord(term.text, clause, add);
      else if (isListed(term)) {
        const [found] = byText.all(textOf(term), numberOf(term.type)) as unknown as TermRow[];
        if (found) addTerm(found, 1, 0, add);
      }
    }
    const keys = clause.any.flatMap(({ type, text }) =>
      isKeyType(type) ? [keyOf({ type, text: textOf({ type, text }) })] : [],
    );
    const hours = clause.any.flatMap(({ type, text }) => {
      if (type === "hours") return { hours: text.split(" ").map(Number), every: false };
      return common.has(text) ? (oddHours.get(text) ?? []) : [];
    });
    const isWord = clause.any.every(({ type }) => type === "word");
    return { ...clause, lists: [...best.values()], keys, hours, isWord, isKind: clause.well > 0 && !isWord };
  }

  function addWord(text: string, { prefix, typos }: Clause, add: Add) {
    const word = numberOf("word");
    for (const row of byText.all(text, word) as unknown as TermRow[])
      addTerm(row, grades.written, grades.elsewhere, add);
    if (prefix) for (const row of begunBy(text)) addTerm(row, grades.begun, grades.elsewhere, add);
    if (typos === 0) return;
    for (const edit of editKeys(text)) {
      for (const [term, firsts, others, other] of byEdit.all(edit) as unknown as TextRow[]) {
        const most = Math.min(typos, typosBetween(text.length, other.length));
        const edits = editDistance(text, other, most);
        if (edits > 0 && edits <= most)
          addTerm([term, firsts, others], grades.edits[edits] ?? 0, grades.elsewhere, add);
      }
    }
  }

  function begunBy(text: string): TermRow[] {
    if (text.length <= beginMax) return byText.all(text, numberOf("begin")) as unknown as TermRow[];
    return byBeginning.all(text, `${text}\u{10ffff}`, numberOf("word")) as unknown as TermRow[];
  }

  return compile;
}

/** Kinds of hours that so many places of a file have that they are no lists in it; a build decides. */
export function readCommon(db: DatabaseSync): ReadonlySet<string> {
  const value = db.prepare("select value from meta where name = 'common'").get()?.["value"];
  return new Set(typeof value === "string" ? (JSON.parse(value) as string[]) : []);
}

type Add = (list: number, grade: number, places: number) => void;

function addTerm([term, firsts, others]: TermRow, first: number, other: number, add: Add): void {
  add(term * 2, first, firsts);
  add(term * 2 + 1, Math.min(first, other), others);
}

/** Streets and houses as they are compared, however somebody writes them. */
function textOf({ type, text }: Term): string {
  if (type === "street") return streetOf(text.split(" "));
  if (type !== "address") return text;
  const { street, house } = readStreet(text);
  return `${street} ${house}`;
}

function numberOf(type: ListType): number {
  return listTypes.indexOf(type);
}

function isKeyType(type: Term["type"]): type is KeyType {
  return keyTypes.some((each) => each === type);
}

function isListed(term: Term): term is Term & { type: ListType } {
  return listTypes.some((each) => each === term.type);
}
