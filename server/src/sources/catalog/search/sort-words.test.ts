import assert from "node:assert/strict";
import { test } from "node:test";
import { sortedPositions } from "./sort-words.ts";

const sorted = (words: readonly string[]) => Array.from(sortedPositions(words), (position) => words[position] ?? "");

test("words are in the order of texts: any script, any length, alike for long, few or many", () => {
  const latin = ["zurich", "", "a", "ab", "a\0", "é", "straße", "strasse", "ÿ", "abcdef", "abcdefg", "abcdee", "abcde"];
  const others = [
    "東京",
    "東京都",
    "привет",
    "приветствие",
    "при",
    "😀",
    "\uffff",
    "Ā",
    "aĀ",
    "aa",
    "ab\uffff",
    "ab\ud83d",
  ];
  const alike = Array.from({ length: 40 }, (_, index) => `prefix${(index * 17) % 40}`);
  const many = Array.from({ length: 70_000 }, (_, index) => `w${(index * 48_271) % 70_001}`);

  for (const words of [[], latin, others, [...latin, ...others], alike, [...alike, ...others], many]) {
    assert.deepEqual(sorted(words), words.toSorted());
  }
});
