import type { Clock } from "../../platform/clock.ts";
import { newUuid } from "../../platform/ids.ts";
import type { Database, Queryable, Transaction } from "../../platform/postgres/database.ts";
import { characterCount, storableText } from "../../platform/text.ts";
import { AlreadyMember, BelongsElsewhere, LinkInvalid, MemberInvalid, MemberNotFound } from "./errors.ts";
import {
  deleteInvitation,
  deleteLinksFor,
  findLink,
  insertLink,
  type Link,
  listInvitations,
  takeLink,
} from "./link-store.ts";
import { nameLengthMax, passwordProblem, type Person, readEmail, type Role, roles } from "./member.ts";
import type { Passwords } from "./passwords.ts";
import { deleteSessions } from "./session-store.ts";
import { isUuid, type OpenedSession, type Origin, type Sessions } from "./sessions.ts";
import type { SignInLimits } from "./sign-in-limits.ts";
import {
  findMember,
  findPersonByEmail,
  hasAnyPerson,
  insertMembership,
  insertPerson,
  listMembers,
  listMemberships,
  lockPerson,
  updatePassword,
} from "./store.ts";
import { hashToken, newToken } from "./tokens.ts";

/** A link as its maker sees it, once: the token is not kept. */
export type RevealedLink = { token: string; email: string | null; role: Role | null; expiresAt: Date };

/** What a person enters who follows a link. An invitation for an address leaves no choice of the address. */
export type LinkAnswer = { password: string; name?: string | undefined; email?: string | undefined };

type LinksDeps = { db: Database; clock: Clock; passwords: Passwords; sessions: Sessions; limits: SignInLimits };

const dayMs = 24 * 3_600_000;
const lifetimeMs = { invite: 7 * dayMs, reset: dayMs };

export function createLinks({ db, clock, passwords, sessions, limits }: LinksDeps) {
  /** Makes the link of the first owner, who chooses the address; undefined when somebody has signed up already. */
  async function inviteFirstOwner(organizationId: string, within: Queryable = db): Promise<RevealedLink | undefined> {
    if (await hasAnyPerson(within)) return undefined;
    return reveal(within, { purpose: "invite", organizationId, email: null, role: "owner", personId: null });
  }

  /** Makes an invitation for one address; an older one for it stops working. */
  async function invite(organizationId: string, request: { email: string; role: string }): Promise<RevealedLink> {
    const email = readEmail(request.email);
    const role = roles.find((known) => known === request.role);
    const details = [
      ...(email === undefined ? ["/email: must be an e-mail address"] : []),
      ...(role === undefined ? [`/role: must be one of ${roles.join(", ")}`] : []),
    ];
    if (email === undefined || role === undefined) throw MemberInvalid(undefined, { details });
    const members = await listMembers(db, organizationId);
    if (members.some((member) => member.email === email)) throw AlreadyMember({ email });
    return db.transaction((tx) => reveal(tx, { purpose: "invite", organizationId, email, role, personId: null }));
  }

  /** Makes a link by which a member sets a new password; an owner can for those who belong to no other organization. */
  async function reset(
    organizationId: string,
    named: string,
    { byOperator = false }: { byOperator?: boolean } = {},
  ): Promise<RevealedLink> {
    const member = await findMember(db, organizationId, named);
    if (!member) throw MemberNotFound({ named });
    const { personId, email } = member;
    if (!byOperator && (await listMemberships(db, personId)).length > 1)
      throw BelongsElsewhere({ email, verb: "reset" });
    const link = await db.transaction((tx) =>
      reveal(tx, { purpose: "reset", organizationId, email: null, role: null, personId }, byOperator),
    );
    return { ...link, email };
  }

  async function reveal(
    within: Queryable,
    link: Pick<Link, "purpose" | "organizationId" | "email" | "role" | "personId">,
    byOperator = false,
  ): Promise<RevealedLink> {
    const { token, hash } = newToken();
    const expiresAt = new Date(clock.now().getTime() + lifetimeMs[link.purpose]);
    await deleteLinksFor(within, link);
    await insertLink(within, { ...link, id: newUuid(), tokenHash: hash, byOperator, expiresAt });
    return { token, email: link.email, role: link.role, expiresAt };
  }

  async function invitations(organizationId: string): Promise<Link[]> {
    return listInvitations(db, organizationId, clock.now());
  }

  async function withdraw(organizationId: string, linkId: string): Promise<void> {
    if (!isUuid(linkId) || !(await deleteInvitation(db, organizationId, linkId))) throw LinkInvalid();
  }

  /** What a link is for, without using it up. */
  async function read(token: string) {
    const link = await findLink(db, hashToken(token), clock.now());
    if (!link) throw LinkInvalid();
    const { purpose, organizationName, email, role } = link;
    const isKnown = email !== null && (await findPersonByEmail(db, email)) !== undefined;
    return { purpose, organizationName, email, role, isKnown };
  }

  /** Uses a link up and opens a session: as a new member, or with a new password. */
  async function accept(token: string, answer: LinkAnswer, origin: Origin): Promise<OpenedSession> {
    const tokenHash = hashToken(token);
    const link = await findLink(db, tokenHash, clock.now());
    if (!link) throw LinkInvalid();
    const email = readEmail(link.email ?? answer.email ?? "");
    const isInvited = link.purpose === "invite" && email !== undefined;
    const known = isInvited ? await findPersonByEmail(db, email) : undefined;
    const accepted = check(link, answer, email, known !== undefined);
    if (known) await prove(known, answer.password, origin);
    const passwordHash = known ? known.passwordHash : await passwords.hash(answer.password);

    return db.transaction(async (tx) => {
      if (link.personId !== null) await lockPerson(tx, link.personId);
      const taken = await takeLink(tx, tokenHash, clock.now());
      if (!taken) throw LinkInvalid();
      const personId = await (taken.purpose === "reset"
        ? setPassword(tx, taken, passwordHash)
        : join(tx, taken, { ...accepted, passwordHash }, known));
      return sessions.open(tx, personId, taken.organizationId, origin);
    });
  }

  /** A person who has an account already proves it with its password; a stolen invitation is not enough. */
  async function prove({ email, passwordHash }: Person, password: string, { address }: Origin): Promise<void> {
    await limits.begin(email, address);
    if (!(await passwords.isRight(password, passwordHash, address))) throw unproved();
    await limits.succeed(email, address);
  }

  return { inviteFirstOwner, invite, reset, invitations, withdraw, read, accept };
}

/** The address and name of a person who follows a link; throws with every violation. */
function check({ purpose }: Link, answer: LinkAnswer, email: string | undefined, isKnown: boolean) {
  const details: string[] = [];
  const name = storableText(answer.name ?? "").trim();
  if (email === undefined) details.push("/email: must be an e-mail address");
  const isNew = purpose === "invite" && !isKnown;
  if (isNew && (name === "" || characterCount(name) > nameLengthMax)) {
    details.push(`/name: must have 1 to ${nameLengthMax} characters`);
  }
  const problem = isNew || purpose === "reset" ? passwordProblem(answer.password, email ?? "") : undefined;
  if (problem) details.push(`/password: ${problem}`);
  if (email === undefined || details.length > 0) throw MemberInvalid(undefined, { details });
  return { email, name };
}

async function setPassword(tx: Transaction, { personId }: Link, passwordHash: string | null): Promise<string> {
  if (personId === null || passwordHash === null) throw new Error("a link that sets a password names its person");
  await updatePassword(tx, personId, passwordHash);
  await deleteSessions(tx, personId);
  return personId;
}

function unproved() {
  return MemberInvalid(undefined, { details: ["/password: must be the password of your existing account"] });
}

type Joining = { email: string; name: string; passwordHash: string | null };

/** Makes the person a member: one who has proved the account they had, or a new one. */
async function join(
  tx: Transaction,
  { organizationId, role }: Link,
  joining: Joining,
  known: Person | undefined,
): Promise<string> {
  if (role === null) throw new Error("an invitation has a role");
  const person = known ? await lockPerson(tx, known.id) : await insertPerson(tx, { id: newUuid(), ...joining });
  // Made, or given another password, since this one looked: by whom is not proved.
  if (!person || person.passwordHash !== joining.passwordHash) throw unproved();
  await insertMembership(tx, organizationId, person.id, role);
  return person.id;
}
