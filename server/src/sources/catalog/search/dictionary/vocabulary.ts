import type { Queryable } from "../../../../platform/postgres/database.ts";
import { bitsOf, editDistance, letterSet, typosBetween } from "../../../../text/edit-distance.ts";
import { readWords } from "../store.ts";

/** The words of one length, one after the other, with the letters of each, up to a generation. */
type Words = { text: string; letters: Int32Array; generation: number };

const bytesPerWord = 4;

/** Every word of the catalog by its length, read when a search first needs that length. */
export function createVocabulary({ db, bytesMax }: { db: Queryable; bytesMax: number }) {
  const byLength = new Map<number, Words>();
  const reading = new Map<number, Promise<Words | undefined>>();

  /** The words that the given one may mean with typos; undefined when there are too many words to look through. */
  async function similarTo(word: string, generation: number): Promise<string[] | undefined> {
    const similar: string[] = [];
    const set = letterSet(word);
    const reach = typosBetween(word.length, word.length + 2);
    for (let length = Math.max(1, word.length - reach); length <= word.length + reach; length += 1) {
      const most = typosBetween(word.length, length);
      if (Math.abs(length - word.length) > most) continue;
      const words = await wordsOf(length, generation);
      if (!words) return undefined;
      const { text, letters } = words;
      for (let index = 0; index < letters.length; index += 1) {
        if (bitsOf(set ^ (letters[index] ?? 0)) > most * 2) continue;
        const known = text.slice(index * length, (index + 1) * length);
        const edits = editDistance(word, known, most);
        if (edits > 0 && edits <= most) similar.push(known);
      }
    }
    return similar;
  }

  function wordsOf(length: number, generation: number): Promise<Words | undefined> {
    const known = byLength.get(length);
    if (known && known.generation >= generation) return Promise.resolve(known);
    let read = reading.get(length);
    if (!read) {
      read = readNewer(length, known).finally(() => reading.delete(length));
      reading.set(length, read);
    }
    return read;
  }

  /**
   * Words that left the catalog stay: looking them up finds nothing. The generation is that of the
   * server that answered, which may be behind the one that the search began with.
   */
  async function readNewer(length: number, known: Words | undefined): Promise<Words | undefined> {
    const bytesLeft = bytesMax - size() + (known ? bytesOf(known) : 0);
    const wordsMax = Math.floor(bytesLeft / (length * 2 + bytesPerWord));
    const after = known?.generation ?? 0;
    const added = await readWords(db, { length, after, wordsMax: wordsMax + 1 });
    const text = (known?.text ?? "") + added.words;
    if (text.length / length > wordsMax) return undefined;
    const letters = new Int32Array(text.length / length);
    letters.set(known?.letters ?? []);
    for (let index = known?.letters.length ?? 0; index < letters.length; index += 1) {
      letters[index] = letterSet(text.slice(index * length, (index + 1) * length));
    }
    const words = { text, letters, generation: Math.max(after, added.generation) };
    byLength.set(length, words);
    return words;
  }

  function size(): number {
    return [...byLength.values()].reduce((sum, words) => sum + bytesOf(words), 0);
  }

  return { similarTo, size };
}

export type Vocabulary = ReturnType<typeof createVocabulary>;

function bytesOf({ text, letters }: Words): number {
  return text.length * 2 + letters.byteLength;
}
