import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { newUuid } from "../server/src/platform/ids.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { allEnded, type Ledger, newLedger, settle } from "./jobs-ledger.ts";
import { until } from "./service.ts";
import { startStreamingPair } from "./streaming-pair.ts";

/** Creates jobs as a careful client does, and writes down what it could not have retried. */
async function keepCreating(fleet: Fleet, ledger: Ledger, unexpected: string[], isOver: () => boolean) {
  while (!isOver()) {
    const body = JSON.stringify({ operation: "places.search", input: { q: `coffee ${newUuid()} 10` } });
    const headers = { "API-KEY": fleet.key, "Content-Type": "application/json", "Idempotency-Key": newUuid() };
    for (;;) {
      const response = await fetch(`${fleet.any("api").address}/api/v1/scrapes`, { method: "POST", headers, body });
      const answer = (await response.json()) as { data: { id: string }; error?: { retryable: boolean } };
      if (response.status === 202) {
        ledger.created.add(answer.data.id);
        break;
      }
      if (!answer.error?.retryable) unexpected.push(JSON.stringify(answer));
      await sleep(100);
    }
  }
}

test("a promoted replica is followed without a restart, and no acknowledged job is lost", async (t) => {
  const pair = await startStreamingPair(t);
  const fleet = await startFleet({ url: pair.url }, ["api", "worker"]);
  const ledger = newLedger();
  const unexpected: string[] = [];
  let isOver = false;
  const clients = Array.from({ length: 4 }, () => keepCreating(fleet, ledger, unexpected, () => isOver));
  await until(() => ledger.created.size >= 50);

  const began = Date.now();
  await pair.failOver();
  const before = ledger.created.size;
  await until(() => ledger.created.size > before);
  t.diagnostic(`${before} jobs before; creating again ${Date.now() - began} ms after the primary was killed`);
  await until(() => ledger.created.size >= before + 50);
  isOver = true;
  await Promise.all(clients);

  assert.deepEqual(unexpected, []);
  await allEnded(fleet.db, 60);
  await settle(fleet.db, ledger);
  await fleet.stop();
});
