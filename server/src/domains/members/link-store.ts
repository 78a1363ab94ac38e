import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { Role } from "./member.ts";

export type Link = {
  id: string;
  purpose: "invite" | "reset";
  organizationId: string;
  organizationName: string;
  email: string | null;
  role: Role | null;
  personId: string | null;
  expiresAt: Date;
};

type NewLink = Omit<Link, "organizationName"> & { tokenHash: Buffer; byOperator: boolean };

export async function insertLink(db: Queryable, link: NewLink) {
  const { id, tokenHash, purpose, organizationId, email, role, personId, byOperator, expiresAt } = link;
  await db.query(sql`
    insert into one_time_links (
      id, token_hash, purpose, organization_id, email, role, person_id, by_operator, expires_at
    )
    values (
      ${id}, ${tokenHash}, ${purpose}, ${organizationId}, ${email}, ${role}, ${personId}, ${byOperator}, ${expiresAt}
    )
  `);
}

const linkColumns = sql`
  links.id, links.purpose, links.organization_id as "organizationId", organizations.name as "organizationName",
  coalesce(links.email, people.email) as email, links.role, links.person_id as "personId",
  links.expires_at as "expiresAt"
`;

const linkTables = sql`
  one_time_links as links
  join organizations on organizations.id = links.organization_id
  left join people on people.id = links.person_id
`;

/**
 * A link for a new password works for a member, and one of an owner's only as long as the person belongs to no other
 * organization: a password opens all of them.
 */
const isUsable = sql`
  links.purpose = 'invite'
  or (
    exists (
      select
      from memberships own
      where own.person_id = links.person_id and own.organization_id = links.organization_id
    )
    and (
      links.by_operator
      or not exists (
        select
        from memberships other
        where other.person_id = links.person_id and other.organization_id <> links.organization_id
      )
    )
  )
`;

export async function findLink(db: Queryable, tokenHash: Buffer, now: Date) {
  const { rows } = await db.query<Link>(sql`
    select ${linkColumns}
    from ${linkTables}
    where links.token_hash = ${tokenHash}
      and links.expires_at > ${now}
      and (${isUsable})
  `);
  return rows[0];
}

/** Uses a link up. Of two who use it at once, one gets it. */
export async function takeLink(tx: Transaction, tokenHash: Buffer, now: Date): Promise<Link | undefined> {
  const link = await findLink(tx, tokenHash, now);
  if (!link) return undefined;
  const { rowCount } = await tx.query(sql`delete from one_time_links where id = ${link.id}`);
  return rowCount === 1 ? link : undefined;
}

/** Uses up every open invitation for an address that its bearer has proved. */
export async function takeInvitations(tx: Transaction, email: string, now: Date) {
  const { rows } = await tx.query<{ organizationId: string; role: Role }>(sql`
    delete from one_time_links
    where purpose = 'invite'
      and email = ${email}
      and expires_at > ${now}
    returning organization_id as "organizationId", role
  `);
  return rows;
}

export async function listInvitations(db: Queryable, organizationId: string, now: Date): Promise<Link[]> {
  const { rows } = await db.query<Link>(sql`
    select ${linkColumns}
    from ${linkTables}
    where links.organization_id = ${organizationId}
      and links.purpose = 'invite'
      and links.expires_at > ${now}
    order by links.created_at, links.id
  `);
  return rows;
}

export async function deleteInvitation(db: Queryable, organizationId: string, linkId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from one_time_links
    where organization_id = ${organizationId}
      and id = ${linkId}
      and purpose = 'invite'
  `);
  return rowCount === 1;
}

/** A newer link of the same kind replaces the older ones. */
export async function deleteLinksFor(
  db: Queryable,
  { purpose, organizationId, email, personId }: Pick<Link, "purpose" | "organizationId" | "email" | "personId">,
) {
  await db.query(sql`
    delete from one_time_links
    where purpose = ${purpose}
      and organization_id = ${organizationId}
      and email is not distinct from ${email}
      and person_id is not distinct from ${personId}::uuid
  `);
}
