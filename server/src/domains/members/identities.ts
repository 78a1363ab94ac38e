import type { Clock } from "../../platform/clock.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/postgres/database.ts";
import { cutText, storableText } from "../../platform/text.ts";
import { takeInvitations } from "./link-store.ts";
import { nameLengthMax, readEmail } from "./member.ts";
import type { OpenedSession, Origin, Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import {
  findIdentity,
  findPersonByEmail,
  insertIdentity,
  insertMembership,
  insertPerson,
  listMemberships,
} from "./store.ts";

/** Who an identity provider says somebody is, already verified by the edge that speaks its protocol. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
};

/**
 * Why somebody whom the provider knows gets no session. `unverified`: the provider does not vouch for the
 * address. `unknown`: no member has the address, and no invitation is open for it.
 */
type IdentityProblem = "unverified" | "unknown" | "too_many";

type Refusal<Problem> = { problem: Problem; cause?: unknown };

type IdentitiesDeps = { db: Database; clock: Clock; sessions: Sessions; limits: SignInLimits };

export function createIdentities({ db, clock, sessions, limits }: IdentitiesDeps) {
  /**
   * Opens a session for a person an identity provider vouches for: known there before, a member by
   * verified address, or invited under it. `identify` asks the provider, unless the address has failed too often.
   */
  async function signInWithIdentity<Problem extends string>(
    identify: () => Promise<{ identity: Identity } | Refusal<Problem>>,
    origin: Origin,
  ): Promise<{ session: OpenedSession } | Refusal<Problem | IdentityProblem>> {
    if (await limits.isBlocked(origin.address)) return { problem: "too_many" };
    const answer = await identify();
    const outcome = "identity" in answer ? await openFor(answer.identity, origin) : answer;
    // A provider that is away, or a person who changed their mind, is no attempt to get in.
    if ("problem" in outcome && outcome.problem !== "unavailable" && outcome.problem !== "denied") {
      await limits.countAddress(origin.address);
    }
    return outcome;
  }

  async function openFor(
    identity: Identity,
    origin: Origin,
  ): Promise<{ session: OpenedSession } | Refusal<IdentityProblem>> {
    const { issuer, subject } = identity;
    const email = identity.emailVerified ? readEmail(identity.email ?? "") : undefined;
    return db.transaction(async (tx) => {
      const linked = await findIdentity(tx, issuer, subject);
      const known = linked ?? (email === undefined ? undefined : await findPersonByEmail(tx, email));
      const personId = await personOf(tx, known?.id, email, identity.name);
      if (personId === undefined) return { problem: email === undefined ? "unverified" : "unknown" };
      if (!linked) await insertIdentity(tx, issuer, subject, personId);
      const [first] = await listMemberships(tx, personId);
      if (!first) return { problem: "unknown" };
      return { session: await sessions.open(tx, personId, first.organizationId, origin) };
    });
  }

  /** The person, if need be as the invitations for the address make them a member. */
  async function personOf(
    tx: Transaction,
    knownId: string | undefined,
    email: string | undefined,
    name: string | undefined,
  ): Promise<string | undefined> {
    if (knownId !== undefined && (await listMemberships(tx, knownId)).length > 0) return knownId;
    const invitations = email === undefined ? [] : await takeInvitations(tx, email, clock.now());
    if (email === undefined || invitations.length === 0) return undefined;

    const shownName = cutText(storableText(name ?? "").trim(), nameLengthMax) || email;
    const personId =
      knownId ?? (await insertPerson(tx, { id: newUuid(), email, name: shownName, passwordHash: null }))?.id;
    // Two sign-ins at once: the other one made the person, and used the invitations up.
    if (personId === undefined) return undefined;
    for (const { organizationId, role } of invitations) await insertMembership(tx, organizationId, personId, role);
    return personId;
  }

  return { signInWithIdentity };
}
