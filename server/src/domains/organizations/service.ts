import { newUuid } from "../../platform/ids.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { OrganizationAmbiguous, OrganizationNotFound } from "./errors.ts";
import {
  type Entitlement,
  insertOrganization,
  listOrganizations,
  type Organization,
  updateEntitlement,
} from "./store.ts";

export function createOrganizations({ db }: { db: Database }) {
  /** Makes an organization with an active entitlement. */
  async function create(name: string, within: Queryable = db): Promise<Organization> {
    return insertOrganization(within, { id: newUuid(), name });
  }

  async function list(within: Queryable = db): Promise<Organization[]> {
    return listOrganizations(within);
  }

  /** The organization an operator means: the one named by id or name, or the only one there is. */
  async function choose(named: string | undefined): Promise<Organization> {
    const all = await listOrganizations(db);
    const matching = named === undefined ? all : all.filter(({ id, name }) => id === named || name === named);
    const [organization] = matching;
    if (!organization) throw OrganizationNotFound({ named: named ?? "" });
    if (matching.length > 1) throw OrganizationAmbiguous({ ids: matching.map(({ id }) => id) });
    return organization;
  }

  /** Allows or ends an organization's use of the live API. */
  async function setEntitlement(organizationId: string, entitlement: Entitlement): Promise<void> {
    if (!(await updateEntitlement(db, organizationId, entitlement)))
      throw OrganizationNotFound({ named: organizationId });
  }

  return { create, list, choose, setEntitlement };
}

export type Organizations = ReturnType<typeof createOrganizations>;
