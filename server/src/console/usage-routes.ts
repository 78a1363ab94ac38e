import type { Billing } from "../domains/billing/index.ts";
import type { HttpServer } from "../platform/http/server.ts";

const daysShown = 30;
const monthsShown = 6;
const entriesShown = 50;

/** What the organization has used: this month, by day and operation, and the latest entries of its ledger. */
export function usageRoutes(app: HttpServer, billing: Billing) {
  app.get("/usage", {
    config: { role: "viewer" },
    async handler({ signedIn: { organizationId } }) {
      const { allowance, used, remaining, resetsAt } = await billing.balance(organizationId);
      const days = await billing.usageByDay(organizationId, daysShown);
      const months = await billing.usage([organizationId], monthsShown);
      const ledger = await billing.ledger([organizationId], entriesShown);
      return {
        allowance,
        used,
        remaining,
        resets_at: resetsAt.toISOString(),
        days,
        months: months.map((each) => ({ month: each.month, used: each.used })),
        ledger: ledger.map(({ kind, units, reference, createdAt }) => ({
          kind,
          units,
          reference,
          created_at: createdAt.toISOString(),
        })),
      };
    },
  });
}
