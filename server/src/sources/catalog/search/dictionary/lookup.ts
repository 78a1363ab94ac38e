import type { Queryable } from "../../../../platform/postgres/database.ts";
import type { Question } from "../../../query/question.ts";
import { bitsOf } from "../../../../text/edit-distance.ts";
import { StaleDirectory } from "../block-cache.ts";
import type { ByteCache } from "../byte-cache.ts";
import type { BlockEntry, WordGroup } from "../directory.ts";
import type { Leniency } from "../search-block.ts";
import { readPostings } from "../store.ts";
import { bucketOf, bucketsOf, categoryMark, kindSign, postingsKey, wordSign } from "./buckets.ts";
import { type Candidates, listCandidates, type Needs, type Spelling } from "./candidates.ts";
import { decodePostings, hasBlock, placesOf, type Postings, rangeOf } from "./postings.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What the dictionary says of a question. */
export type Narrowed = {
  /** The blocks that can hold an answer. */
  blocks(): BlockEntry[];
  /** All places of the blocks' groups that may answer, but for some; undefined when its words do not tell. */
  candidates(without: ReadonlySet<number>): Candidates | undefined;
};

type Narrowing = {
  question: Question;
  leniency: Leniency;
  generation: number;
  /** Where it says no, what is not in memory makes the search stale. */
  mayRead(): boolean;
};

export type KeptPostings = { version: number; bytes: number; postings?: Postings | undefined };

type DictionaryOptions = { db: Queryable; kept: ByteCache<KeptPostings>; vocabulary: Vocabulary };

/** More rows than this cost more than they save. */
const rowsMax = 40_000;
const similarMax = 256;
const prefixMin = 2;

/** Tells which blocks and places hold the words of a question, before any block is read. */
export function createDictionary({ db, kept, vocabulary }: DictionaryOptions) {
  /** Undefined when the question's words exclude nothing. */
  async function narrow(
    entries: readonly BlockEntry[],
    { question, leniency, generation, mayRead }: Narrowing,
  ): Promise<Narrowed | undefined> {
    const wanted = await wantedBy(question, leniency, generation);
    if (!wanted) return undefined;
    const byGroup = Map.groupBy(entries, ({ words }) => words?.group);
    const groups = [...byGroup.keys()].filter((group) => group !== undefined);
    const buckets = allBucketsOf(wanted);
    if (groups.length * buckets.length > rowsMax) return undefined;
    const rows = await load(groups, buckets, mayRead);

    const looked = [...byGroup].map(([group, members]) => ({
      members,
      found: group && lookUp(wanted, (bucket) => rows.get(postingsKey(group.firstCell, bucket))),
    }));
    return {
      blocks: () =>
        looked.flatMap(({ members, found }) =>
          found ? members.filter(({ words }) => found.mayAnswer(words?.position ?? 0)) : members,
        ),
      candidates(without) {
        const spellings = looked.flatMap(({ found }) => (found ? [found.spellings] : []));
        return spellings.length === looked.length ? listCandidates(spellings, question, wanted, without) : undefined;
      },
    };
  }

  /** Each word with what it may stand for. */
  async function wantedBy(question: Question, leniency: Leniency, generation: number): Promise<Wanted | undefined> {
    const { words, categories } = question;
    if (question.isAnything) return undefined;
    const mayBeTypos = leniency === "typos" || leniency === "partial";
    const terms: (Term[] | undefined)[] = [];
    for (const [index, word] of words.entries()) {
      const isPrefix = index === words.length - 1;
      const similar = mayBeTypos ? await vocabulary.similarTo(word, generation) : [];
      const isBounded =
        similar !== undefined && similar.length <= similarMax && (!isPrefix || word.length >= prefixMin);
      terms.push(isBounded ? [term(word, isPrefix), ...similar.map((each) => term(each, false))] : undefined);
    }
    const enough = leniency === "partial" ? Math.ceil(words.length / 2) : words.length;
    const restMask = leniency === "relaxed" ? 0 : question.restMask;
    return {
      terms,
      categories: categories.map((id) => term(categoryMark + id, false)),
      enough,
      restMask,
      wordSigns: terms.map(
        (each) => each?.reduce((signs, { word, isPrefix }) => signs | wordSign(word, isPrefix), 0) ?? -1,
      ),
      kindSigns: categories.reduce((signs, id) => signs | kindSign(id), 0),
    };
  }

  async function load(groups: readonly WordGroup[], buckets: readonly number[], mayRead: () => boolean) {
    const rows = new Map<number, Postings | undefined>();
    const missing: WordGroup[] = [];
    const unread = new Set<number>();
    for (const group of groups) {
      const before = rows.size;
      for (const bucket of buckets) {
        const key = postingsKey(group.firstCell, bucket);
        const known = kept.find(key, false);
        if (known?.version === group.version) rows.set(key, known.postings);
        else unread.add(bucket);
      }
      if (rows.size < before + buckets.length) missing.push(group);
    }
    // Mostly the same buckets are missing from all groups: those of the words that nobody else looked up.
    if (missing.length > 0 && !mayRead()) throw new StaleDirectory();
    if (missing.length > 0) await read(missing, [...unread], rows);
    return rows;
  }

  async function read(
    groups: readonly WordGroup[],
    buckets: readonly number[],
    rows: Map<number, Postings | undefined>,
  ) {
    const wanted = new Map(groups.map(({ firstCell, version }) => [firstCell, version]));
    const stored = (await readPostings(db, buckets, groups)).filter(
      ({ groupCell, version }) => wanted.get(groupCell) === version,
    );
    if (new Set(stored.map(({ groupCell }) => groupCell)).size < wanted.size) throw new StaleDirectory();
    for (const { groupCell, version, bucket, bytes } of stored) {
      if (bucket === null || bytes === null) continue;
      const key = postingsKey(groupCell, bucket);
      if (rows.has(key)) continue;
      const postings = decodePostings(bytes);
      rows.set(key, postings);
      kept.keep(key, { version, bytes: postings.bytes, postings });
    }
    // Remember that a group has nothing in a bucket, too.
    for (const group of groups) {
      for (const bucket of buckets) {
        const key = postingsKey(group.firstCell, bucket);
        if (!rows.has(key)) kept.keep(key, { version: group.version, bytes: emptyBytes });
      }
    }
  }

  return { narrow };
}

type Term = { word: string; isPrefix: boolean; buckets: readonly number[] };
/** For each word what it may stand for, undefined for anything; then what searchBlock asks of a place. */
type Wanted = Needs & { terms: (Term[] | undefined)[]; categories: Term[] };
/** The blocks that hold any of the terms, and where each stands; undefined where one of them is common. */
type Found = { bits: Uint32Array; spellings: readonly Spelling[] | undefined };

const emptyBytes = 64;

function term(word: string, isPrefix: boolean): Term {
  return { word, isPrefix, buckets: isPrefix ? bucketsOf(word) : [bucketOf(word)] };
}

function allBucketsOf({ terms, categories }: Wanted): number[] {
  return [...new Set([...terms.flatMap((each) => each ?? []), ...categories].flatMap(({ buckets }) => buckets))];
}

/** What one group says: a block may answer under the same conditions as a place does in searchBlock. */
function lookUp({ terms, categories, enough, restMask }: Wanted, rowOf: (bucket: number) => Postings | undefined) {
  const words = terms.map((each) => each && find(each, rowOf));
  const kinds = find(categories, rowOf);

  function mayAnswer(position: number): boolean {
    let matched = 0;
    words.forEach((found, index) => {
      if (!found || hasBlock(found.bits, 0, position)) matched |= 1 << index;
    });
    if (words.length > 0 && bitsOf(matched) >= enough) return true;
    return categories.length > 0 && hasBlock(kinds.bits, 0, position) && (matched & restMask) === restMask;
  }

  return { mayAnswer, spellings: words.map((found) => found?.spellings) };
}

/** All that any of the terms stands for. */
function find(terms: readonly Term[], rowOf: (bucket: number) => Postings | undefined): Found {
  let bits = new Uint32Array(1);
  let spellings: Spelling[] | undefined = [];
  for (const { word, isPrefix, buckets } of terms) {
    for (const bucket of buckets) {
      const row = rowOf(bucket);
      if (!row) continue;
      const [first, end] = rangeOf(row, word, isPrefix);
      for (let index = first; index < end; index += 1) {
        if (bits.length < row.stride) bits = new Uint32Array(row.stride);
        for (let at = 0; at < row.stride; at += 1)
          bits[at] = (bits[at] ?? 0) | (row.blockBits[index * row.stride + at] ?? 0);
        const [from, to] = placesOf(row, index);
        if (from === to) spellings = undefined;
        else spellings?.push({ row, index });
      }
    }
  }
  return { bits, spellings };
}
