import assert from "node:assert/strict";
import { test } from "node:test";
import { readableLine } from "./log.ts";

test("a line for people has time, level, message and fields, and cannot act on the terminal", () => {
  const line = JSON.stringify({
    level: "warn",
    time: "2026-11-15T10:11:12.345Z",
    request_id: "req_1",
    status: 503,
    note: "two words",
    agent: "\u001b]0;owned\u0007\u202e",
    msg: "request.put_off",
  });

  assert.equal(
    readableLine(line, false),
    '10:11:12.345 warn  request.put_off request_id=req_1 status=503 note="two words" agent="\\u001b]0;owned\\u0007\\u202e"',
  );
});

test("an error's stack stands below its line", () => {
  const line = JSON.stringify({ level: "error", time: "2026-11-15T10:11:12.345Z", msg: "x", err: { stack: "a\nb" } });

  assert.equal(readableLine(line, false), "10:11:12.345 error x\n    a\nb");
});
