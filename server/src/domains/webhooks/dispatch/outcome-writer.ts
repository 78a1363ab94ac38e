import { setTimeout as sleep } from "node:timers/promises";
import { createBatcher } from "../../../platform/batcher.ts";
import { idFromUuid } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/log.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { failuresToDisable, failuresToWarn } from "../endpoints/endpoint.ts";
import { clearFailures, lockEndpointHealth, updateTerminalFailures } from "../endpoints/health-store.ts";
import { updateDisabled } from "../endpoints/store.ts";
import type { AttemptOutcome } from "./attempt-outcome.ts";
import { type ClaimedDelivery, updateAttempted } from "./store.ts";

export type WrittenOutcome = AttemptOutcome & { delivery: ClaimedDelivery; now: Date };

type OutcomeWriterDeps = { db: Database; log: Log };

const batchMax = 200;
const retryMs = 250;
const retriesMax = 240;

/**
 * Writes the outcomes of attempts in batches. While the database is away it retries for a minute:
 * the lease token still guards the write, so an outcome that arrives late does no harm. An outcome
 * that cannot be written means another attempt, by the worker that claims the delivery next.
 * The function resolves when the outcome has been written, or given up.
 */
export function createOutcomeWriter({ db, log }: OutcomeWriterDeps): (outcome: WrittenOutcome) => Promise<void> {
  async function flush(batch: readonly WrittenOutcome[]): Promise<void[]> {
    const changesHealth = ({ health }: WrittenOutcome) => health.failedTerminally || health.disable !== undefined;
    const plain = batch.filter((outcome) => !changesHealth(outcome));
    if (plain.length > 0) await withRetries(plain.length, () => writePlain(db, plain));
    for (const outcome of batch.filter(changesHealth)) {
      await withRetries(1, () => writeWithHealth(db, log, outcome));
    }
    return batch.map(() => undefined);
  }

  async function withRetries(deliveries: number, work: () => Promise<void>): Promise<void> {
    for (let retries = 0; retries <= retriesMax; retries += 1) {
      try {
        return await work();
      } catch (error) {
        log.error({ deliveries, err: error }, "webhook.outcome_write_failed");
        await sleep(retryMs);
      }
    }
  }

  return createBatcher(flush, { batchMax, concurrency: 1 });
}

async function writePlain(db: Database, outcomes: readonly WrittenOutcome[]): Promise<void> {
  const recovered = outcomes.filter(({ delivery, health }) => health.succeeded && delivery.endpointHasFailures);
  // Before the deliveries and on its own: a success clears failures even when its lease was lost, and
  // an endpoint is never locked after one of its deliveries.
  if (recovered.length > 0) await clearFailures(db, [...new Set(recovered.map(({ delivery }) => delivery.endpointId))]);
  await updateAttempted(
    db,
    outcomes.map(({ update }) => update),
  );
}

async function writeWithHealth(db: Database, log: Log, { delivery, update, health, now }: WrittenOutcome) {
  const { organizationId, endpointId, url } = delivery;
  const logLines: [object, string][] = [];
  const endpoint = { organization_id: organizationId, endpoint_id: idFromUuid("whe", endpointId) };
  await db.transaction(async (tx) => {
    logLines.length = 0;
    await lockEndpointHealth(tx, organizationId, endpointId);
    const written = await updateAttempted(tx, [update]);
    if (!written.has(delivery.uuid)) return;

    const { disable } = health;
    if (disable && (await updateDisabled(tx, organizationId, endpointId, { reason: disable, url, now }))) {
      logLines.push([{ ...endpoint, reason: disable }, "webhook_endpoint.disabled"]);
    }
    if (!health.failedTerminally) return;
    const counted = await updateTerminalFailures(tx, organizationId, endpointId, {
      toWarn: failuresToWarn,
      toDisable: failuresToDisable,
      now,
    });
    if (counted?.terminalFailures === failuresToWarn) logLines.push([endpoint, "webhook_endpoint.warned"]);
    if (counted?.terminalFailures === failuresToDisable) {
      logLines.push([{ ...endpoint, reason: "repeated_failures" }, "webhook_endpoint.disabled"]);
    }
  });
  for (const [fields, message] of logLines) log.warn(fields, message);
}
