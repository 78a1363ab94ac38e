import type { Clock } from "../../platform/clock.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import { cutText, storableText } from "../../platform/text.ts";
import { MemberNotFound, SessionNotFound, SessionRequired } from "./errors.ts";
import type { SignedIn } from "./member.ts";
import {
  deleteEnded,
  deleteSession,
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  type Session,
  updateLastSeen,
  updateOrganization,
} from "./session-store.ts";
import { listMemberships } from "./store.ts";
import { hashToken, newToken } from "./tokens.ts";

/** Where a session is opened from, as its owner sees it in the list. */
export type Origin = { userAgent: string; address: string };

/** A session's secret, which goes into the browser's cookie and nowhere else. */
export type OpenedSession = { token: string; expiresAt: Date };

const dayMs = 24 * 3_600_000;
const lifetimeMs = 30 * dayMs;
const idleMs = 7 * dayMs;
const lastSeenEveryMs = 60_000;

export function createSessions({ db, clock }: { db: Database; clock: Clock }) {
  /** Opens a session for a person who has proved who they are. */
  async function open(
    within: Queryable,
    personId: string,
    organizationId: string,
    { userAgent, address }: Origin,
  ): Promise<OpenedSession> {
    const { token, hash } = newToken();
    const now = clock.now();
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    await insertSession(within, {
      id: newUuid(),
      tokenHash: hash,
      personId,
      organizationId,
      userAgent: cutText(storableText(userAgent), 300),
      address,
      now,
      expiresAt,
    });
    return { token, expiresAt };
  }

  /** Who holds a session's token; throws when the session has ended. */
  async function require(token: string | undefined): Promise<SignedIn> {
    const now = clock.now();
    const found = token ? await findSession(db, hashToken(token), now, idleSince(now)) : undefined;
    if (!found) throw SessionRequired();
    const { lastSeenAt, ...signedIn } = found;
    if (now.getTime() - lastSeenAt.getTime() > lastSeenEveryMs) await updateLastSeen(db, signedIn.sessionId, now);
    return signedIn;
  }

  async function list({ personId }: SignedIn): Promise<Session[]> {
    const now = clock.now();
    return listSessions(db, personId, now, idleSince(now));
  }

  async function revoke({ personId }: SignedIn, sessionId: string): Promise<void> {
    if (!isUuid(sessionId) || !(await deleteSession(db, personId, sessionId))) throw SessionNotFound();
  }

  async function revokeOthers({ personId, sessionId }: SignedIn): Promise<void> {
    await deleteSessions(db, personId, sessionId);
  }

  async function signOut({ personId, sessionId }: SignedIn): Promise<void> {
    await deleteSession(db, personId, sessionId);
  }

  async function organizations({ personId }: SignedIn) {
    return listMemberships(db, personId);
  }

  /** Lets the session act for another of the person's organizations. */
  async function switchTo({ sessionId, email }: SignedIn, organizationId: string): Promise<void> {
    if (!isUuid(organizationId) || !(await updateOrganization(db, sessionId, organizationId))) {
      throw MemberNotFound({ named: email });
    }
  }

  /** Removes sessions, links and counters whose time has passed. */
  async function sweep(): Promise<number> {
    const now = clock.now();
    return deleteEnded(db, now, idleSince(now));
  }

  return { open, require, list, revoke, revokeOthers, signOut, organizations, switchTo, sweep };
}

export type Sessions = ReturnType<typeof createSessions>;

function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleMs);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
