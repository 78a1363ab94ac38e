import { editDistance, letterSet, typosBetween } from "../../../text/edit-distance.ts";
import { type Block, lengthsMax } from "./block.ts";
import { wordAt } from "./word-list.ts";

// By what was typed: people mistype the same words, and a client repeats its questions.
const knownSimilar = new WeakMap<Block, Map<string, readonly number[]>>();
const knownSimilarMax = 128;

/**
 * The words of a block that one may have been mistyped for, each followed by the number of edits between
 * them. `compared` has those of neighboring blocks, which share many words.
 */
export function similarWords(block: Block, word: string, compared: Map<string, number>): readonly number[] {
  let known = knownSimilar.get(block);
  if (!known) knownSimilar.set(block, (known = new Map()));
  let similar = known.get(word);
  if (!similar) {
    similar = findSimilar(block, word, compared);
    if (known.size >= knownSimilarMax) known.clear();
    known.set(word, similar);
  }
  return similar;
}

function findSimilar(block: Block, word: string, compared: Map<string, number>): number[] {
  const { words, wordsByLength, lettersByLength, lengthStarts } = block;
  const similar: number[] = [];
  const letters = letterSet(word);
  const reach = typosBetween(word.length, word.length + 2);
  for (let length = Math.max(1, word.length - reach); length <= word.length + reach; length += 1) {
    const most = typosBetween(word.length, length);
    if (most === 0 || Math.abs(length - word.length) > most) continue;
    const from = lengthStarts[Math.min(lengthsMax, length)] ?? 0;
    const to = lengthStarts[Math.min(lengthsMax, length) + 1] ?? 0;
    for (let at = from; at < to; at += 1) {
      // Most words fail here: whether bits remain after the two of each edit are struck out.
      let others = letters ^ (lettersByLength[at] ?? 0);
      others &= others - 1;
      others &= others - 1;
      if (most === 2) {
        others &= others - 1;
        others &= others - 1;
      }
      if (others !== 0) continue;
      const index = wordsByLength[at] ?? 0;
      const known = wordAt(words, index) ?? "";
      // One edit is found faster than a word in a map.
      let edits = most === 1 ? editDistance(word, known, 1) : compared.get(known);
      if (edits === undefined) compared.set(known, (edits = editDistance(word, known, most)));
      if (edits > 0 && edits <= most) similar.push(index, edits);
    }
    if (length >= lengthsMax) break;
  }
  return similar;
}
