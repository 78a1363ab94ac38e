import type { Billing } from "../domains/billing/index.ts";
import type { Organizations } from "../domains/organizations/index.ts";

export type UsageRequest = { organization: string | undefined; months: number; ledger: number };

/** What was used, as an operator is shown it. */
export type UsageView = {
  months: {
    month: string;
    organization: string;
    organization_id: string;
    used: number;
    /** As it is granted today. */
    allowance: number;
    /** Null for months that are over. */
    remaining: number | null;
  }[];
  /** The latest entries, newest first. */
  ledger: {
    created_at: string;
    organization: string;
    organization_id: string;
    kind: string;
    units: number;
    reference: string;
  }[];
};

export function createUsageCommands({ organizations, billing }: { organizations: Organizations; billing: Billing }) {
  async function show({ organization, months, ledger }: UsageRequest): Promise<UsageView> {
    const chosen = organization === undefined ? await organizations.list() : [await organizations.choose(organization)];
    const ids = chosen.map(({ id }) => id);
    const organizationNames = new Map(chosen.map(({ id, name }) => [id, name]));
    const past = await billing.usage(ids, months);
    const entries = await billing.ledger(ids, ledger);

    const rows: UsageView["months"] = [];
    for (const { id, name } of chosen) {
      const { allowance, used, remaining, resetsAt } = await billing.balance(id);
      const current = new Date(resetsAt.getTime() - 1).toISOString().slice(0, 7);
      const row = { organization: name, organization_id: id, allowance };
      rows.push({ month: current, ...row, used, remaining });
      for (const each of past) {
        if (each.organizationId !== id || each.month === current) continue;
        rows.push({ month: each.month, ...row, used: each.used, remaining: null });
      }
    }
    return {
      months: rows.sort((left, right) => right.month.localeCompare(left.month)),
      ledger: entries.map(({ organizationId, kind, units, reference, createdAt }) => ({
        created_at: createdAt.toISOString(),
        organization: organizationNames.get(organizationId) ?? organizationId,
        organization_id: organizationId,
        kind,
        units,
        reference,
      })),
    };
  }

  return { show };
}
