import assert from "node:assert/strict";
import { test } from "node:test";
import { faults, suffer } from "./faults.ts";

// The others take longer; `npm run soak -- faults` lets all of them strike.
test("when PostgreSQL ends every connection, clients see only what they may repeat, and nothing is lost or doubled", async (t) => {
  const fault = faults.find(({ name }) => name.includes("ends every connection"));
  assert.ok(fault);

  const { seen, jobs, lost, doubled, recoverySeconds } = await suffer(fault);

  t.diagnostic(`${jobs} jobs, recovered after ${recoverySeconds.toFixed(1)} s`);
  assert.ok(jobs > 0);
  assert.deepEqual([lost, doubled], [0, 0]);
  for (const answer of seen.keys()) assert.match(answer, /^(503 temporarily_unavailable|409 idempotency_in_progress)$/);
});
