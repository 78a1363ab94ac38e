import assert from "node:assert/strict";
import { test } from "node:test";
import { retryOutages } from "./reachable.ts";

const options = { seconds: 30, signal: AbortSignal.timeout(30_000), onOutage() {} };

test("work that a busy machine cut off is done again, and ends with what it gives", async () => {
  const outcomes = ["Connection terminated due to connection timeout", "timeout expired"];

  const result = await retryOutages(async () => {
    const message = outcomes.shift();
    if (message) throw new Error(message);
    return "done";
  }, options);

  assert.equal(result, "done");
});

test("what is no outage is thrown at once, and an outage when the time is over", async () => {
  const failWith = (message: string) => {
    let calls = 0;
    return {
      calls: () => calls,
      work: async () => {
        calls += 1;
        throw new Error(message);
      },
    };
  };
  const [refused, away] = [failWith("The key is wrong."), failWith("Connection terminated unexpectedly")];

  await assert.rejects(retryOutages(refused.work, options), { message: "The key is wrong." });
  await assert.rejects(retryOutages(away.work, { ...options, seconds: 0 }), { message: /terminated/ });

  assert.deepEqual([refused.calls(), away.calls()], [1, 1]);
});
