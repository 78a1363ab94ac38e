import { newUuid } from "../../platform/ids.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { characterCount, isStorable, storableRule } from "../../platform/text.ts";
import { notifyKeysChanged } from "../api-keys/index.ts";
import { OrganizationAmbiguous, OrganizationInvalid, OrganizationNotFound } from "./errors.ts";
import {
  type Entitlement,
  entitlements,
  insertOrganization,
  listOrganizations,
  nameLengthMax,
  type Organization,
  updateOrganization,
} from "./store.ts";

export type OrganizationChanges = { name?: string | undefined; entitlement?: string | undefined };

export function createOrganizations({ db }: { db: Database }) {
  /** Makes an organization, with an active entitlement by default. */
  async function create(name: string, within: Queryable = db, entitlement = "active"): Promise<Organization> {
    const checked = check({ name, entitlement });
    return insertOrganization(within, { id: newUuid(), name, entitlement: checked.entitlement ?? "active" });
  }

  async function list(within: Queryable = db): Promise<Organization[]> {
    return listOrganizations(within);
  }

  /**
   * The organization an operator means: the one named by id or name, or the only one there is. An id comes first, since
   * a name is its owners' to choose, and may be another's id.
   */
  async function choose(named: string | undefined, within: Queryable = db): Promise<Organization> {
    const all = await listOrganizations(within);
    const known = all.find(({ id }) => id === named);
    if (known) return known;
    const matching = named === undefined ? all : all.filter(({ name }) => name === named);
    const [organization] = matching;
    if (!organization) throw OrganizationNotFound({ named: named ?? "" });
    if (matching.length > 1) throw OrganizationAmbiguous({ ids: matching.map(({ id }) => id) });
    return organization;
  }

  /** Renames an organization, or allows or ends its use of the live API on every process. */
  async function change(
    organizationId: string,
    changes: OrganizationChanges,
    within: Queryable = db,
  ): Promise<Organization> {
    const changed = await updateOrganization(within, organizationId, check(changes));
    if (!changed) throw OrganizationNotFound({ named: organizationId });
    if (changes.entitlement !== undefined) await notifyKeysChanged(within);
    return changed;
  }

  async function setEntitlement(organizationId: string, entitlement: Entitlement): Promise<void> {
    await db.transaction((tx) => change(organizationId, { entitlement }, tx));
  }

  return { create, list, choose, change, setEntitlement };
}

export type Organizations = ReturnType<typeof createOrganizations>;

function check({ name, entitlement }: OrganizationChanges): { name?: string; entitlement?: Entitlement } {
  const details: string[] = [];
  if (name?.trim() === "" || characterCount(name ?? "") > nameLengthMax) {
    details.push(`/name: must have 1 to ${nameLengthMax} characters, and not blanks alone`);
  }
  if (!isStorable(name ?? "")) details.push(`/name: ${storableRule}`);
  const known = entitlements.find((each) => each === entitlement);
  if (entitlement !== undefined && !known) details.push(`/entitlement: must be one of ${entitlements.join(", ")}`);
  if (details.length > 0) throw OrganizationInvalid(undefined, { details });
  return { ...(name === undefined ? {} : { name }), ...(known === undefined ? {} : { entitlement: known }) };
}
