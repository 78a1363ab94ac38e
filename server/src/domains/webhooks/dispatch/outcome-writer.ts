import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../platform/log.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { type ClaimedDelivery, settleDeliveries, type Settlement } from "./store.ts";
import { failuresToDisable, failuresToWarn } from "../endpoints/endpoint.ts";
import { updateDisabled } from "../endpoints/store.ts";
import { clearFailures, lockEndpointHealth, updateTerminalFailures } from "../endpoints/health-store.ts";
import type { HealthEffect } from "./attempt-outcome.ts";

export type Result = {
  delivery: ClaimedDelivery;
  settlement: Settlement;
  effect: HealthEffect;
  now: Date;
  /** After this moment, by the process's own steady clock, another dispatcher may hold the delivery. */
  leaseEndsMs: number;
};

type SettlingDeps = { db: Database; log: Log; onWritten(): void };

const batchMax = 200;
const retryMs = 250;

/**
 * Writes the outcomes of attempts, as many at a time as have come together while the last ones were
 * being written. A database that does not answer is asked again until the leases end; after that
 * the attempts are made again, by whoever claims them.
 */
export function createSettling({ db, log, onWritten }: SettlingDeps) {
  let waiting: Result[] = [];
  let writing: Promise<void> | undefined;

  function add(result: Result) {
    waiting.push(result);
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    await Promise.resolve(); // what comes in the same turn is written together
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      await write(batch);
      onWritten();
    }
    writing = undefined;
  }

  async function write(batch: readonly Result[]): Promise<void> {
    const isPlain = ({ effect }: Result) => !effect.failedForGood && effect.disable === undefined;
    await persist(batch.filter(isPlain), (results) => writePlain(db, results));
    for (const result of batch) {
      if (!isPlain(result)) await persist([result], () => writeWithHealth(db, log, result));
    }
  }

  async function persist(results: readonly Result[], work: (results: readonly Result[]) => Promise<void>) {
    let held = results;
    while (held.length > 0) {
      try {
        return await work(held);
      } catch (error) {
        log.error({ deliveries: held.length, err: error }, "webhook.settling_failed");
        await sleep(retryMs);
        held = held.filter(({ leaseEndsMs }) => leaseEndsMs > performance.now());
      }
    }
  }

  return {
    add,
    waiting: () => waiting.length,
    /** Resolves when everything that was added has been written. */
    async drained(): Promise<void> {
      if (!writing) return;
      await writing;
      await this.drained();
    },
  };
}

async function writePlain(db: Database, results: readonly Result[]): Promise<void> {
  const recovered = results.filter(({ delivery, effect }) => effect.succeeded && delivery.endpointHasFailures);
  // First, and on its own: it is true whatever becomes of the leases, and an endpoint is never
  // locked after one of its deliveries.
  if (recovered.length > 0) await clearFailures(db, [...new Set(recovered.map(({ delivery }) => delivery.endpointId))]);
  await settleDeliveries(
    db,
    results.map(({ settlement }) => settlement),
  );
}

async function writeWithHealth(db: Database, log: Log, result: Result): Promise<void> {
  const { delivery, settlement, effect, now } = result;
  const { organizationId, endpointId, url } = delivery;
  const events: [object, string][] = [];
  const endpoint = { organization_id: organizationId, endpoint_id: idFromUuid("whe", endpointId) };
  await db.transaction(async (tx) => {
    events.length = 0;
    await lockEndpointHealth(tx, organizationId, endpointId);
    const held = await settleDeliveries(tx, [settlement]);
    if (!held.has(delivery.id)) return;

    const { disable } = effect;
    if (disable && (await updateDisabled(tx, organizationId, endpointId, { reason: disable, url, now }))) {
      events.push([{ ...endpoint, reason: disable }, "webhook_endpoint.disabled"]);
    }
    if (!effect.failedForGood) return;
    const counted = await updateTerminalFailures(tx, organizationId, endpointId, {
      toWarn: failuresToWarn,
      toDisable: failuresToDisable,
      now,
    });
    if (counted?.terminalFailures === failuresToWarn) events.push([endpoint, "webhook_endpoint.warned"]);
    if (counted?.terminalFailures === failuresToDisable) {
      events.push([{ ...endpoint, reason: "repeated_failures" }, "webhook_endpoint.disabled"]);
    }
  });
  for (const [fields, message] of events) log.warn(fields, message);
}
