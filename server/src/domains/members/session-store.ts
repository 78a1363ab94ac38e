import type { Queryable } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import type { SignedIn } from "./member.ts";

export type Session = {
  id: string;
  userAgent: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
};

type NewSession = {
  id: string;
  tokenHash: Buffer;
  personId: string;
  organizationId: string;
  userAgent: string;
  address: string;
  now: Date;
  expiresAt: Date;
};

export async function insertSession(db: Queryable, session: NewSession) {
  const { id, tokenHash, personId, organizationId, userAgent, address, now, expiresAt } = session;
  await db.query(sql`
    insert into sessions
      (id, token_hash, person_id, organization_id, user_agent, address, created_at, last_seen_at, expires_at)
    values
      (${id}, ${tokenHash}, ${personId}, ${organizationId}, ${userAgent}, ${address}, ${now}, ${now}, ${expiresAt})
  `);
}

export type OpenSession = SignedIn & { lastSeenAt: Date };

/** The open session of a token: neither past its end nor idle for too long. */
export async function findSession(db: Queryable, tokenHash: Buffer, now: Date, idleSince: Date) {
  const { rows } = await db.query<OpenSession>(sql`
    select sessions.id as "sessionId", people.id as "personId", people.email, people.name,
      organizations.id as "organizationId", organizations.name as "organizationName", memberships.role,
      organizations.entitlement = 'active' as "entitled", sessions.last_seen_at as "lastSeenAt"
    from sessions
    join people on people.id = sessions.person_id
    join memberships
      on memberships.person_id = sessions.person_id
      and memberships.organization_id = sessions.organization_id
    join organizations on organizations.id = sessions.organization_id
    where sessions.token_hash = ${tokenHash}
      and sessions.expires_at > ${now}
      and sessions.last_seen_at > ${idleSince}
  `);
  return rows[0];
}

export async function updateLastSeen(db: Queryable, sessionId: string, now: Date) {
  await db.query(sql`update sessions set last_seen_at = ${now} where id = ${sessionId}`);
}

/** Lets a session act for another organization of its person; false when the person is no member there. */
export async function updateOrganization(db: Queryable, sessionId: string, organizationId: string) {
  const { rowCount } = await db.query(sql`
    update sessions
    set organization_id = memberships.organization_id
    from memberships
    where sessions.id = ${sessionId}
      and memberships.person_id = sessions.person_id
      and memberships.organization_id = ${organizationId}
  `);
  return rowCount === 1;
}

export async function listSessions(db: Queryable, personId: string, now: Date, idleSince: Date): Promise<Session[]> {
  const { rows } = await db.query<Session>(sql`
    select id, user_agent as "userAgent", address, created_at as "createdAt", last_seen_at as "lastSeenAt",
      expires_at as "expiresAt"
    from sessions
    where person_id = ${personId}
      and expires_at > ${now}
      and last_seen_at > ${idleSince}
    order by last_seen_at desc, id
  `);
  return rows;
}

export async function deleteSession(db: Queryable, personId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from sessions
    where person_id = ${personId}
      and id = ${sessionId}
  `);
  return rowCount === 1;
}

/** Ends every session of a person, or every one but the current. */
export async function deleteSessions(db: Queryable, personId: string, except?: string) {
  await db.query(sql`
    delete from sessions
    where person_id = ${personId}
      and id is distinct from ${except ?? null}::uuid
  `);
}

/** Removes what has ended; resolves to the number of rows. */
export async function deleteEnded(db: Queryable, now: Date, idleSince: Date): Promise<number> {
  const sessions = await db.query(sql`delete from sessions where expires_at < ${now} or last_seen_at < ${idleSince}`);
  const links = await db.query(sql`delete from one_time_links where expires_at < ${now}`);
  const failures = await db.query(sql`delete from sign_in_failures where window_ends_at < ${now}`);
  return sessions.rowCount + links.rowCount + failures.rowCount;
}
