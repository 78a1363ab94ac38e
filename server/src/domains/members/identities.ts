import type { Clock } from "../../platform/clock.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Database, Transaction } from "../../platform/postgres/database.ts";
import { cutText, storableText } from "../../platform/text.ts";
import { BelongsElsewhere, MemberNotFound } from "./errors.ts";
import { takeInvitations } from "./link-store.ts";
import { nameLengthMax, readEmail } from "./member.ts";
import { deleteSessions } from "./session-store.ts";
import type { OpenedSession, Origin, Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import {
  deleteIdentities,
  findIdentity,
  findMember,
  findPersonByEmail,
  forgetProofs,
  insertIdentity,
  insertMembership,
  insertPerson,
  listIdentities,
  listMemberships,
  lockPerson,
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
 * address. `unknown`: no member has the address, and no invitation is open for it. `linked`: the account of the
 * address belongs to somebody else at the provider.
 */
type IdentityProblem = "unverified" | "unknown" | "linked" | "too_many";

type Refusal<Problem> = { problem: Problem; cause?: unknown };

type IdentitiesDeps = { db: Database; clock: Clock; sessions: Sessions; limits: SignInLimits };

export function createIdentities({ db, clock, sessions, limits }: IdentitiesDeps) {
  /**
   * Opens a session for a person an identity provider vouches for. The pair of issuer and subject is the person
   * from the first sign-in on, whatever address the provider sends later. The verified address finds the account
   * only once, before the first link: mailboxes change hands. `identify` asks the provider, unless the network
   * address has failed too often.
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
      const addressed = email === undefined ? undefined : await findPersonByEmail(tx, email);
      const known = linked ?? addressed;
      if (!linked && addressed && (await isSomebodyElse(tx, identity, addressed.id))) return { problem: "linked" };
      // An invitation for an address is for whoever has the account of that address.
      const invited = addressed === undefined || addressed.id === known?.id ? email : undefined;
      const personId = await personOf(tx, known?.id, invited, identity.name);
      if (personId === undefined) return { problem: email === undefined ? "unverified" : "unknown" };
      await insertIdentity(tx, issuer, subject, personId);
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

    // Whoever had the account lost it with their last membership: neither their password nor their link opens it again.
    if (knownId !== undefined) await forgetProofs(tx, knownId);
    const shownName = cutText(storableText(name ?? "").trim(), nameLengthMax) || email;
    const personId =
      knownId ?? (await insertPerson(tx, { id: newUuid(), email, name: shownName, passwordHash: null }))?.id;
    // Two sign-ins at once: the other one made the person, and used the invitations up.
    if (personId === undefined) return undefined;
    for (const { organizationId, role } of invitations) await insertMembership(tx, organizationId, personId, role);
    return personId;
  }

  /**
   * Lets the next person whom the provider vouches for under a member's address have the account, and ends the
   * sessions of who had it. An owner can for those who belong to no other organization.
   */
  async function releaseIdentity(
    organizationId: string,
    named: string,
    { byOperator = false }: { byOperator?: boolean } = {},
  ): Promise<void> {
    const member = await findMember(db, organizationId, named);
    if (!member) throw MemberNotFound({ named });
    const { personId, email } = member;
    await db.transaction(async (tx) => {
      await lockPerson(tx, personId);
      if (!byOperator && (await listMemberships(tx, personId)).length > 1) {
        throw BelongsElsewhere({ email, verb: "release" });
      }
      if (await deleteIdentities(tx, personId)) await deleteSessions(tx, personId);
    });
  }

  return { signInWithIdentity, releaseIdentity };
}

/** Whether a member's account belongs to another person at the provider. */
async function isSomebodyElse(tx: Transaction, { issuer, subject }: Identity, personId: string): Promise<boolean> {
  // Of two subjects that come at once for one address, one is the first.
  await lockPerson(tx, personId);
  const owners = await listIdentities(tx, personId);
  if (owners.length === 0 || owners.some((owner) => owner.issuer === issuer && owner.subject === subject)) return false;
  return (await listMemberships(tx, personId)).length > 0;
}
