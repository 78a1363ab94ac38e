import type { Billing } from "../domains/billing/index.ts";
import type { Log } from "../platform/log.ts";
import type { Meters } from "../platform/meters.ts";

export type Reconcile = { billing: Pick<Billing, "ledgerDifference">; log: Log; meters: Meters };

/** A stop waits for a comparison, and so soon after a start somebody may want one. */
const firstMs = 15_000;

/** Compares the ledger with the counters that it explains; neither may be right alone. */
export function createReconciliation({ billing, log, meters }: Reconcile): () => Promise<number> {
  let known: number | undefined;
  let isFirst = true;
  meters.gauge(
    "waypost_ledger_difference_units",
    "By how many units the ledger and the counters differed when they were last compared.",
    [],
    () => (known === undefined ? [] : [{ labels: {}, value: known }]),
  );
  return async () => {
    const statementMs = isFirst ? firstMs : undefined;
    isFirst = false;
    known = await billing.ledgerDifference(statementMs);
    if (known !== 0) log.error({ difference_units: known }, "billing.ledger_differs");
    return 0;
  };
}
