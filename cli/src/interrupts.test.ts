import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { onInterrupt } from "./interrupts.ts";

function setUp(t: TestContext) {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { mock: killed } = t.mock.method(process, "kill", () => true);
  let heard = 0;
  const stop = onInterrupt(() => (heard += 1));
  t.after(() => process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM"));
  const interruptAt = (ms: number) => {
    now = ms;
    process.emit("SIGINT", "SIGINT");
  };
  return { interruptAt, stop, heard: () => heard, killed };
}

// The terminal sends Ctrl-C to the launcher and to the program, and the launcher passes its own on.
test("a Ctrl-C that arrives twice is one, also when the command is ending by then", (t) => {
  const { interruptAt, stop, heard, killed } = setUp(t);

  interruptAt(0);
  stop();
  interruptAt(20);

  assert.equal(heard(), 1);
  assert.equal(killed.callCount(), 0);
  assert.equal(process.listenerCount("SIGINT"), 1, "the process would die of the next one");
});

test("a second Ctrl-C ends the process at once", (t) => {
  const { interruptAt, killed } = setUp(t);

  interruptAt(0);
  interruptAt(2_000);

  assert.deepEqual(killed.calls[0]?.arguments, [process.pid, "SIGINT"]);
  assert.equal(process.listenerCount("SIGINT"), 0);
});

test("a command that has ended hears nothing more", (t) => {
  const { stop } = setUp(t);

  stop();

  assert.deepEqual([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")], [0, 0]);
});
