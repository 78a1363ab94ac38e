import type { Queryable, Transaction } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Member, type Person, readEmail, type Role } from "./member.ts";

const personColumns = sql`id, email, name, password_hash as "passwordHash"`;

export async function findPersonByEmail(db: Queryable, email: string) {
  const { rows } = await db.query<Person>(sql`select ${personColumns} from people where email = ${email}`);
  return rows[0];
}

/** The person as they are now, until the transaction ends: two changes of whom they belong to, or prove to be, take turns. */
export async function lockPerson(tx: Transaction, personId: string) {
  const { rows } = await tx.query<Person>(sql`
    select ${personColumns}
    from people
    where id = ${personId}
    for update
  `);
  return rows[0];
}

/** Makes a person, or resolves to undefined when the address is taken. */
export async function insertPerson(db: Queryable, { id, email, name, passwordHash }: Person) {
  const { rows } = await db.query<Person>(sql`
    insert into people (id, email, name, password_hash)
    values (${id}, ${email}, ${name}, ${passwordHash})
    on conflict (email) do nothing
    returning ${personColumns}
  `);
  return rows[0];
}

export async function updatePassword(db: Queryable, personId: string, passwordHash: string) {
  await db.query(sql`update people set password_hash = ${passwordHash} where id = ${personId}`);
}

export async function findIdentity(db: Queryable, issuer: string, subject: string) {
  const { rows } = await db.query<Person>(sql`
    select people.id, people.email, people.name, people.password_hash as "passwordHash"
    from identities
    join people on people.id = identities.person_id
    where identities.issuer = ${issuer}
      and identities.subject = ${subject}
  `);
  return rows[0];
}

/** Who at a provider this person is. */
export async function listIdentities(db: Queryable, personId: string) {
  const { rows } = await db.query<{ issuer: string; subject: string }>(sql`
    select issuer, subject
    from identities
    where person_id = ${personId}
  `);
  return rows;
}

/** Takes away all by which somebody proves to be the person. */
export async function forgetProofs(tx: Transaction, personId: string) {
  await deleteIdentities(tx, personId);
  await tx.query(sql`update people set password_hash = null where id = ${personId}`);
}

export async function deleteIdentities(tx: Transaction, personId: string): Promise<boolean> {
  const { rowCount } = await tx.query(sql`delete from identities where person_id = ${personId}`);
  return rowCount !== 0;
}

export async function insertIdentity(db: Queryable, issuer: string, subject: string, personId: string) {
  await db.query(sql`
    insert into identities (issuer, subject, person_id)
    values (${issuer}, ${subject}, ${personId})
    on conflict (issuer, subject) do nothing
  `);
}

/** Adds a member; false when the person is one already. */
export async function insertMembership(db: Queryable, organizationId: string, personId: string, role: Role) {
  const { rowCount } = await db.query(sql`
    insert into memberships (organization_id, person_id, role)
    values (${organizationId}, ${personId}, ${role})
    on conflict (organization_id, person_id) do nothing
  `);
  return rowCount === 1;
}

export async function listMembers(db: Queryable, organizationId: string): Promise<Member[]> {
  const { rows } = await db.query<Member>(sql`
    select people.id as "personId", people.email, people.name, memberships.role,
      memberships.created_at as "joinedAt",
      exists (select 1 from identities where identities.person_id = people.id) as "isLinked"
    from memberships
    join people on people.id = memberships.person_id
    where memberships.organization_id = ${organizationId}
    order by memberships.created_at, people.id
  `);
  return rows;
}

/** The member of an id or an address. */
export async function findMember(db: Queryable, organizationId: string, named: string): Promise<Member | undefined> {
  const wanted = readEmail(named) ?? named;
  const members = await listMembers(db, organizationId);
  return members.find(({ personId, email }) => personId === named || email === wanted);
}

/** Every member for a change of one, locked, so that two owners cannot demote each other at once. */
export async function listMembersForUpdate(tx: Transaction, organizationId: string) {
  const { rows } = await tx.query<{ personId: string; role: Role }>(sql`
    select person_id as "personId", role
    from memberships
    where organization_id = ${organizationId}
    order by person_id
    for update
  `);
  return rows;
}

export async function updateRole(tx: Transaction, organizationId: string, personId: string, role: Role) {
  await tx.query(sql`
    update memberships
    set role = ${role}
    where organization_id = ${organizationId}
      and person_id = ${personId}
  `);
}

export async function deleteMembership(tx: Transaction, organizationId: string, personId: string) {
  await tx.query(sql`
    delete from memberships
    where organization_id = ${organizationId}
      and person_id = ${personId}
  `);
}

/** The organizations a person may act for, oldest membership first. */
export async function listMemberships(db: Queryable, personId: string) {
  const { rows } = await db.query<{ organizationId: string; organizationName: string; role: Role }>(sql`
    select organizations.id as "organizationId", organizations.name as "organizationName", memberships.role
    from memberships
    join organizations on organizations.id = memberships.organization_id
    where memberships.person_id = ${personId}
    order by memberships.created_at, organizations.id
  `);
  return rows;
}

export async function hasAnyPerson(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(sql`select exists (select 1 from people) as any`);
  return rows[0]?.any ?? false;
}
