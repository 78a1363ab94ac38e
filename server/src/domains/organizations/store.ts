import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";

export type Entitlement = "active" | "inactive";

export type Organization = {
  id: string;
  name: string;
  entitlement: Entitlement;
  createdAt: Date;
};

const organizationColumns = sql`id, name, entitlement, created_at as "createdAt"`;

export async function insertOrganization(db: Queryable, { id, name }: { id: string; name: string }) {
  const { rows } = await db.query<Organization>(sql`
    insert into organizations (id, name, entitlement)
    values (${id}, ${name}, 'active')
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

export async function updateEntitlement(db: Queryable, organizationId: string, entitlement: Entitlement) {
  const { rowCount } = await db.query(sql`
    update organizations
    set entitlement = ${entitlement}
    where id = ${organizationId}
  `);
  return rowCount === 1;
}
