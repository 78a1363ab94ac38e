import type { ApiKeys } from "../domains/api-keys/index.ts";
import type { Billing } from "../domains/billing/index.ts";
import type { Members } from "../domains/members/index.ts";
import type { HttpServer } from "../platform/http/server.ts";

const daysShown = 30;
const monthsShown = 6;
const entriesShown = 50;

/** What the organization has used: this month, by day and operation, and the latest entries of its ledger. */
type UsageDeps = { billing: Billing; apiKeys: ApiKeys; members: Members };

export function usageRoutes(app: HttpServer, { billing, apiKeys, members }: UsageDeps) {
  app.get("/usage", {
    config: { role: "viewer" },
    async handler({ signedIn: { organizationId } }) {
      const { allowance, used, remaining, resetsAt } = await billing.balance(organizationId);
      const days = await billing.usageByDay(organizationId, daysShown);
      const actors = await billing.usageByActor(organizationId, daysShown);
      const actorName = await namesIn(organizationId);
      const months = await billing.usage([organizationId], monthsShown);
      const ledger = await billing.ledger([organizationId], entriesShown);
      return {
        allowance,
        used,
        remaining,
        resets_at: resetsAt.toISOString(),
        days,
        actors: actors.map(({ operation, actor, units }) => ({ operation, actor: actorName(actor), units })),
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

  /** What an actor of the ledger is called. Keys and people may be gone, so their ids stand in for them. */
  async function namesIn(organizationId: string) {
    const keys = await apiKeys.list(organizationId);
    const people = await members.list(organizationId);
    const known = new Map<string, { name: string; masked: string | null }>([
      ...keys.map(({ id, name, maskedPrefix }) => [id, { name, masked: maskedPrefix }] as const),
      ...people.map(({ personId, name }) => [`person:${personId}`, { name, masked: null }] as const),
    ]);
    return (actor: string | null) => {
      if (actor === null) return null;
      const kind = actor.startsWith("person:") ? ("person" as const) : ("key" as const);
      // A key and its replacement have one name, so the masked form tells them apart.
      return { kind, id: actor, ...(known.get(actor) ?? { name: actor, masked: null }) };
    };
  }
}
