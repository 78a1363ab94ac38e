import assert from "node:assert/strict";
import { test } from "node:test";
import { beginsAt, bytesOfWords, isWordAt, lowerBound, readWordList, wordAt, wordListOf } from "./word-list.ts";

test("a word list has its words in order, and finds where one is or would be", () => {
  for (const words of [[], ["a"], ["bar", "café", "cafés", "東京"]]) {
    const list = wordListOf(words);
    assert.deepEqual(
      Array.from({ length: words.length + 1 }, (_, index) => wordAt(list, index)),
      [...words, undefined],
    );
    for (const word of ["", "a", "bar", "baz", "caf", "café", "cafés", "zoo", "東", "東京", "東京都"]) {
      const before = words.filter((each) => each < word).length;
      assert.equal(lowerBound(list, word), before, word);
      assert.equal(isWordAt(list, before, word), words.includes(word), word);
      assert.equal(beginsAt(list, before, word), words[before]?.startsWith(word) === true, word);
    }
  }
});

test("a word list is read from the bytes of its words", () => {
  for (const words of [["a"], ["bar", "café", "ωmega", "東京", "🍕pizza", "𝒵"], ["", "zoo"]]) {
    assert.deepEqual(readWordList(Buffer.from(words.join("\n")), words.length), wordListOf(words));
  }
});

test("a word list counts two bytes for each letter where not all are plain", () => {
  const starts = 4 * 3;
  assert.equal(bytesOfWords(wordListOf(["bar", "pub"]), 7), 7 + starts);
  assert.equal(bytesOfWords(wordListOf(["bar", "pübs"]), 9), 16 + starts);
});
