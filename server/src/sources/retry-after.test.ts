import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterIn } from "./retry-after.ts";

const now = new Date("2026-09-22T09:30:00.000Z");

test("a wait is read as seconds or as a date, and is an hour at most", () => {
  const waits: [header: string, seconds: number | undefined][] = [
    ["17", 17],
    [" 17 ", 17],
    ["0", 1],
    ["3600", 3600],
    ["86400", 3600],
    ["Tue, 22 Sep 2026 09:31:30 GMT", 90],
    ["Tuesday, 22-Sep-26 09:31:30 GMT", 90],
    ["Wed, 23 Sep 2026 09:30:00 GMT", 3600],
    ["Tue, 22 Sep 2026 09:00:00 GMT", 1],
    ["Tue, 99 Sep 2026 09:00:00 GMT", undefined],
    ["soon", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    ["", undefined],
  ];
  for (const [header, seconds] of waits) assert.equal(retryAfterIn({ "retry-after": header }, now), seconds, header);
  assert.equal(retryAfterIn({}, now), undefined);
});

test("a date counts from the clock of whoever sent it", () => {
  const headers = { "retry-after": "Tue, 22 Sep 2026 11:00:05 GMT", date: "Tue, 22 Sep 2026 11:00:00 GMT" };

  assert.equal(retryAfterIn(headers, now), 5);
});
