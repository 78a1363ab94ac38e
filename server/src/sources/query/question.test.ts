import assert from "node:assert/strict";
import { test } from "node:test";
import { normalize } from "../../text/normalize.ts";
import { readWhats } from "./question.ts";

test("what many words cost to read grows with their number, not with that of the phrases in them", () => {
  for (const [word, hl] of [
    ["4711", "en"],
    ["ვარსკვლავი", "en"],
    ["zzyzx", "de"],
  ] as const) {
    const few = quickestMs(normalize(`${word} `.repeat(3)), hl);
    const many = quickestMs(normalize(`${word} `.repeat(24)), hl);

    assert.ok(many < few * 16, `${many} ms for 24 words, ${few} ms for 3 (${word})`);
  }
});

/** The quickest of many readings: what others do on the machine slows some of them down, not all. */
function quickestMs(words: readonly string[], hl: string): number {
  let quickest = Infinity;
  for (let round = 0; round < 300; round += 1) {
    const began = performance.now();
    readWhats(words, hl);
    quickest = Math.min(quickest, performance.now() - began);
  }
  return quickest;
}
