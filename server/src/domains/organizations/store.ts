import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

export const entitlements = ["active", "inactive"] as const;
export type Entitlement = (typeof entitlements)[number];

export const nameLengthMax = 100;

export type Organization = {
  id: string;
  name: string;
  entitlement: Entitlement;
  createdAt: Date;
};

const organizationColumns = sql`id, name, entitlement, created_at as "createdAt"`;

type NewOrganization = Pick<Organization, "id" | "name" | "entitlement">;

export async function insertOrganization(db: Queryable, { id, name, entitlement }: NewOrganization) {
  const { rows } = await db.query<Organization>(sql`
    insert into organizations (id, name, entitlement)
    values (${id}, ${name}, ${entitlement})
    returning ${organizationColumns}
  `);
  const [row] = rows;
  if (!row) throw new Error("insert returned no row");
  return row;
}

export async function listOrganizations(db: Queryable): Promise<Organization[]> {
  const { rows } = await db.query<Organization>(sql`
    select ${organizationColumns}
    from organizations
    order by created_at, id
  `);
  return rows;
}

/** Changes what is given and leaves the rest; resolves to undefined when there is no such organization. */
export async function updateOrganization(
  db: Queryable,
  organizationId: string,
  { name, entitlement }: { name?: string; entitlement?: Entitlement },
): Promise<Organization | undefined> {
  const { rows } = await db.query<Organization>(sql`
    update organizations
    set name = coalesce(${name ?? null}, name), entitlement = coalesce(${entitlement ?? null}, entitlement)
    where id = ${organizationId}
    returning ${organizationColumns}
  `);
  return rows[0];
}
