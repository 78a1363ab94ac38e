// A reader whose questions a test can keep from ending.
import { now } from "../src/place-index/port.ts";
import { type Ask, type AnswerLimits, openReader as openRealReader } from "../src/place-index/reader.ts";

/** Asked as walks after these numbers. */
export const asks = { untilOver: -1, untilStopped: -2, failing: -3 };

export function openReader(path: string) {
  const reader = openRealReader(path);

  function answer(asked: Ask, limits: AnswerLimits): unknown {
    if (asked.ask !== "walk") return reader.answer(asked, limits);
    if (asked.after === asks.failing) throw new Error("the reader failed");
    while (Atomics.load(limits.stop, 0) === 0) {
      if (asked.after === asks.untilOver && now() >= limits.until) return "what was found";
    }
    return "nothing";
  }

  return { ...reader, answer };
}
