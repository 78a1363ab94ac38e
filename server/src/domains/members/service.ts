import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { LastOwner, MemberInvalid, MemberNotFound, SessionRequired, SignInFailed } from "./errors.ts";
import { createIdentities } from "./identities.ts";
import { createLinks } from "./links.ts";
import { type Member, passwordProblem, readEmail, type Role, roles, type SignedIn } from "./member.ts";
import { createPasswords, type OnChecked } from "./passwords.ts";
import { createSessions, type OpenedSession, type Origin } from "./sessions.ts";
import { createSignInLimits } from "./sign-in-limits.ts";
import { deleteSessions } from "./session-store.ts";
import {
  deleteMembership,
  findMember,
  findPersonByEmail,
  listMembers,
  listMembersForUpdate,
  listMemberships,
  updatePassword,
  updateRole,
} from "./store.ts";

type MembersDeps = { db: Database; clock: Clock; onChecked?: OnChecked | undefined };

export function createMembers({ db, clock, onChecked }: MembersDeps) {
  const passwords = createPasswords(onChecked);
  const sessions = createSessions({ db, clock });
  const limits = createSignInLimits({ db, clock });
  const links = createLinks({ db, clock, passwords, sessions, limits });
  const identities = createIdentities({ db, clock, sessions, limits });

  /** Opens a session by address and password. A wrong one costs the same time for an unknown address. */
  async function signIn(request: { email: string; password: string }, origin: Origin): Promise<OpenedSession> {
    const email = readEmail(request.email) ?? "";
    await limits.begin(email, origin.address);
    const person = await findPersonByEmail(db, email);
    const isRight = await passwords.isRight(request.password, person?.passwordHash ?? null, origin.address);
    if (!person || !isRight) throw SignInFailed();
    await limits.succeed(email, origin.address);
    return openFirst(person.id, origin);
  }

  async function openFirst(personId: string, origin: Origin): Promise<OpenedSession> {
    const [first] = await listMemberships(db, personId);
    if (!first) throw SignInFailed();
    return sessions.open(db, personId, first.organizationId, origin);
  }

  /** Sets a new password and ends the person's other sessions. */
  async function changePassword(
    signedIn: SignedIn,
    request: { current: string; next: string },
    address: string,
  ): Promise<void> {
    const person = await findPersonByEmail(db, signedIn.email);
    if (!person) throw SessionRequired();
    await limits.begin(person.email, address);
    if (!(await passwords.isRight(request.current, person.passwordHash, address))) {
      throw MemberInvalid(undefined, { details: ["/current: is not your password"] });
    }
    await limits.succeed(person.email, address);
    const problem = passwordProblem(request.next, person.email);
    if (problem) throw MemberInvalid(undefined, { details: [`/next: ${problem}`] });
    const passwordHash = await passwords.hash(request.next);
    await db.transaction(async (tx) => {
      await updatePassword(tx, person.id, passwordHash);
      await deleteSessions(tx, person.id, signedIn.sessionId);
    });
  }

  async function list(organizationId: string): Promise<Member[]> {
    return listMembers(db, organizationId);
  }

  async function setRole(organizationId: string, personId: string, wanted: string): Promise<void> {
    const role = roles.find((known) => known === wanted);
    if (!role) throw MemberInvalid(undefined, { details: [`/role: must be one of ${roles.join(", ")}`] });
    await db.transaction(async (tx) => {
      requireOwnerLeft(await listMembersForUpdate(tx, organizationId), personId, role);
      await updateRole(tx, organizationId, personId, role);
    });
  }

  /** Ends a membership and the sessions that act for the organization. Names a person by id or address. */
  async function remove(organizationId: string, named: string): Promise<void> {
    const member = await findMember(db, organizationId, named);
    if (!member) throw MemberNotFound({ named });
    await db.transaction(async (tx) => {
      requireOwnerLeft(await listMembersForUpdate(tx, organizationId), member.personId, undefined);
      await deleteMembership(tx, organizationId, member.personId);
    });
  }

  return { ...links, ...identities, sessions, signIn, changePassword, list, setRole, remove };
}

export type Members = ReturnType<typeof createMembers>;

function requireOwnerLeft(
  members: readonly { personId: string; role: Role }[],
  personId: string,
  role: Role | undefined,
): void {
  const changed = members.find((member) => member.personId === personId);
  if (!changed) throw MemberNotFound({ named: personId });
  // Where there is no owner, nobody is the last one.
  if (changed.role !== "owner" || role === "owner") return;
  if (!members.some((member) => member !== changed && member.role === "owner")) throw LastOwner();
}
