import { AllowanceInvalid, type Billing, noCeiling } from "../domains/billing/index.ts";
import type { Organization, Organizations } from "../domains/organizations/index.ts";
import type { Database } from "../platform/postgres/database.ts";

/** An organization as an operator is shown it. */
export type OrganizationView = {
  id: string;
  name: string;
  entitlement: string;
  allowance: number;
  allowance_is_default: boolean;
  used: number;
  remaining: number;
  resets_at: string;
  created_at: string;
};

type Changes = { name?: string | undefined; entitlement: string | undefined; allowance: string | undefined };

type OrganizationCommandsDeps = { db: Database; organizations: Organizations; billing: Billing };

export function createOrganizationCommands({ db, organizations, billing }: OrganizationCommandsDeps) {
  async function list(): Promise<OrganizationView[]> {
    const views: OrganizationView[] = [];
    for (const organization of await organizations.list()) views.push(await view(organization));
    return views;
  }

  async function show(named: string | undefined): Promise<OrganizationView> {
    return view(await organizations.choose(named));
  }

  async function create({ name, entitlement, allowance }: Changes & { name: string }): Promise<OrganizationView> {
    const units = parseAllowance(allowance);
    const created = await db.transaction(async (tx) => {
      const organization = await organizations.create(name, tx, entitlement);
      if (units !== undefined) await billing.setAllowance(organization.id, units, tx);
      return organization;
    });
    return view(created);
  }

  /** Changes all that is given, or nothing. */
  async function set(named: string | undefined, { allowance, ...changes }: Changes): Promise<OrganizationView> {
    const units = parseAllowance(allowance);
    const changed = await db.transaction(async (tx) => {
      const { id } = await organizations.choose(named, tx);
      if (units !== undefined) await billing.setAllowance(id, units, tx);
      return organizations.change(id, changes, tx);
    });
    return view(changed);
  }

  async function view({ id, name, entitlement, createdAt }: Organization): Promise<OrganizationView> {
    const { allowance, isDefault, used, remaining, resetsAt } = await billing.balance(id);
    return {
      id,
      name,
      entitlement,
      allowance,
      allowance_is_default: isDefault,
      used,
      remaining,
      resets_at: resetsAt.toISOString(),
      created_at: createdAt.toISOString(),
    };
  }

  return { list, show, create, set };
}

/** A number of units, or none for no ceiling; null for the default, undefined when it is not to be changed. */
function parseAllowance(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === "default") return null;
  if (text === "none") return noCeiling;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw AllowanceInvalid(undefined, {
    details: ["/allowance: must be a whole number of units, none for no ceiling, or default"],
  });
}
