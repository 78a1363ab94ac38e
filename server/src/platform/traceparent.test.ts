import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTraceparent } from "./traceparent.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

test("a valid traceparent is taken, one of a later version as ours, and any other is ignored", () => {
  const valid = `00-${traceId}-${parentId}-01`;
  assert.equal(parseTraceparent(valid), valid);
  assert.equal(parseTraceparent(`cc-${traceId}-${parentId}-01-what-comes-later`), valid);
  const bad = [
    undefined,
    [valid, valid],
    "",
    "nonsense",
    `${valid}-more`,
    `ff-${traceId}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}`,
    ` ${valid}`,
    `${valid}\n`,
  ];
  for (const header of bad) assert.equal(parseTraceparent(header), null, String(header));
});
