import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { type Identity, principalOf } from "./index.ts";
import { hasRole, passwordProblem, readEmail } from "./member.ts";
import { address, givenMembers, origin, password } from "./testing.ts";

test("an invitation makes a member with its role, once", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  await givenMember("owner");
  const { token } = await members.invite(organizationId, { email: "Grace@Example.org ", role: "viewer" });

  const session = await members.accept(token, { name: "Grace", password }, origin);

  const signedIn = await members.sessions.require(session.token);
  assert.equal(signedIn.email, "grace@example.org");
  assert.equal(signedIn.role, "viewer");
  assert.equal(signedIn.organizationId, organizationId);
  await assert.rejects(members.accept(token, { name: "Mallory", password }, origin), { code: "not_found" });
});

test("of two who use a link at once, one gets in", async (t) => {
  const { members, organizationId } = await givenMembers(t);
  const { token } = await members.invite(organizationId, { email: `${newUuid()}@example.org`, role: "member" });

  const outcomes = await Promise.allSettled(
    ["Ada", "Bob"].map((name) => members.accept(token, { name, password }, origin)),
  );

  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
});

test("a link stops working when its time has passed, and when a newer one was made", async (t) => {
  const { members, organizationId, clock } = await givenMembers(t);
  const email = `${newUuid()}@example.org`;
  const older = await members.invite(organizationId, { email, role: "member" });
  const newer = await members.invite(organizationId, { email, role: "member" });

  await assert.rejects(members.read(older.token), { code: "not_found" });
  assert.equal((await members.read(newer.token)).email, email);
  clock.advance(7 * 24 * 3_600_000 - 1);
  await members.read(newer.token);
  clock.advance(1);
  await assert.rejects(members.accept(newer.token, { name: "Ada", password }, origin), { code: "not_found" });
});

test("the link of the first owner lets its bearer choose the address, and there is none once somebody signed up", async (t) => {
  const { db, members, organizationId } = await givenMembers(t);
  await db.query(sql`delete from people`);
  const link = await members.inviteFirstOwner(organizationId);
  assert.ok(link);

  const session = await members.accept(link.token, { name: "Ada", email: "ada@example.org", password }, origin);

  assert.equal((await members.sessions.require(session.token)).role, "owner");
  assert.equal(await members.inviteFirstOwner(organizationId), undefined);
  await members.remove(organizationId, "ada@example.org").catch(() => undefined);
});

test("a person with an account joins another organization only with the password of that account", async (t) => {
  const { members, newOrganization, givenMember } = await givenMembers(t);
  const { email } = await givenMember("member");
  const elsewhere = await newOrganization();
  const { token } = await members.invite(elsewhere, { email, role: "owner" });

  await assert.rejects(members.accept(token, { password: "another password" }, origin), { code: "invalid_request" });
  const session = await members.accept(token, { password }, origin);

  const signedIn = await members.sessions.require(session.token);
  assert.equal(signedIn.organizationId, elsewhere);
  assert.equal((await members.sessions.organizations(signedIn)).length, 2);
});

test("a sign-in needs the right password, and an unknown address is told nothing else", async (t) => {
  const { members, givenMember } = await givenMembers(t);
  const { email } = await givenMember();

  const { token } = await members.signIn({ email: ` ${email.toUpperCase()}`, password }, origin);

  assert.equal((await members.sessions.require(token)).email, email);
  const wrong = members.signIn({ email, password: "wrong password" }, origin);
  const unknown = members.signIn({ email: "nobody@example.org", password }, origin);
  const [first, second] = await Promise.allSettled([wrong, unknown]);
  assert.ok(first.status === "rejected" && second.status === "rejected");
  assert.equal((first.reason as Error).message, (second.reason as Error).message);
});

test("a session ends when it is revoked, when its person signs out, after a week without use and after thirty days", async (t) => {
  const { members, clock, givenMember } = await givenMembers(t);
  const { email, session, signedIn } = await givenMember();
  const opened = await Promise.all([1, 2, 3].map(() => members.signIn({ email, password }, origin)));
  const [revoked, left, idle] = opened.map(({ token }) => token);
  assert.equal((await members.sessions.list(signedIn)).length, 4);

  await members.sessions.revoke(signedIn, (await members.sessions.require(revoked)).sessionId);
  await members.sessions.signOut(await members.sessions.require(left));

  await assert.rejects(members.sessions.require(revoked), { code: "unauthenticated" });
  await assert.rejects(members.sessions.require(left), { code: "unauthenticated" });
  for (let day = 1; day < 30; day += 1) {
    clock.advance(24 * 3_600_000);
    await members.sessions.require(session.token);
    if (day === 7) await assert.rejects(members.sessions.require(idle), { code: "unauthenticated" });
  }
  clock.advance(24 * 3_600_000);
  await assert.rejects(members.sessions.require(session.token), { code: "unauthenticated" });
  assert.ok((await members.sessions.sweep()) >= 2);
});

test("nobody ends a session of somebody else", async (t) => {
  const { members, givenMember } = await givenMembers(t);
  const [mine, theirs] = [await givenMember(), await givenMember()];

  for (const sessionId of [theirs.signedIn.sessionId, "not-an-id"]) {
    await assert.rejects(members.sessions.revoke(mine.signedIn, sessionId), { code: "not_found" });
  }

  await members.sessions.require(theirs.session.token);
});

test("a new password ends the other sessions, one by link ends all", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  const { email, session, signedIn } = await givenMember();
  const other = await members.signIn({ email, password }, origin);

  await assert.rejects(
    members.changePassword(signedIn, { current: "wrong password", next: "a longer password" }, address),
    {
      code: "invalid_request",
    },
  );
  await members.changePassword(signedIn, { current: password, next: "a longer password" }, address);

  await members.sessions.require(session.token);
  await assert.rejects(members.sessions.require(other.token), { code: "unauthenticated" });
  const { token } = await members.reset(organizationId, email);
  await members.accept(token, { password: "the third password" }, origin);
  await assert.rejects(members.sessions.require(session.token), { code: "unauthenticated" });
  await members.signIn({ email, password: "the third password" }, origin);
});

test("an owner sets no password of a person who belongs to another organization too, and who runs the service does", async (t) => {
  const { members, organizationId, newOrganization, givenMember } = await givenMembers(t);
  const { email } = await givenMember("viewer");
  const early = await members.reset(organizationId, email);
  const elsewhere = await newOrganization();
  const { token } = await members.invite(elsewhere, { email, role: "owner" });
  await members.accept(token, { password }, origin);

  await assert.rejects(members.reset(organizationId, email), { code: "state_conflict" });
  // Nor by a link from before the person joined.
  await assert.rejects(members.read(early.token), { code: "not_found" });
  await assert.rejects(members.accept(early.token, { password: "a password of mine" }, origin), { code: "not_found" });
  await members.signIn({ email, password }, origin);

  const link = await members.reset(organizationId, email, { byOperator: true });
  const session = await members.accept(link.token, { password: "the third password" }, origin);
  const signedIn = await members.sessions.require(session.token);
  assert.equal((await members.sessions.organizations(signedIn)).length, 2);
});

test("a link for a new password ends with the membership", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  await givenMember("owner");
  const { email } = await givenMember("member");
  const { token } = await members.reset(organizationId, email, { byOperator: true });

  await members.remove(organizationId, email);

  await assert.rejects(members.read(token), { code: "not_found" });
  await assert.rejects(members.accept(token, { password: "the third password" }, origin), { code: "not_found" });
});

test("of two who accept invitations for one address at once, only one becomes that person", async (t) => {
  const { members, organizationId, newOrganization } = await givenMembers(t);
  const elsewhere = await newOrganization();
  for (let round = 0; round < 5; round += 1) {
    const email = `${newUuid()}@example.org`;
    const links = await Promise.all(
      [organizationId, elsewhere].map((each) => members.invite(each, { email, role: "owner" })),
    );

    const outcomes = await Promise.allSettled(
      links.map(({ token }, index) => members.accept(token, { name: "Ada", password: `${password} ${index}` }, origin)),
    );

    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    const opened = outcomes.find((outcome) => outcome.status === "fulfilled");
    const signedIn = await members.sessions.require(opened?.value.token);
    assert.equal((await members.sessions.organizations(signedIn)).length, 1);
  }
});

test("an organization keeps an owner, also when two owners demote each other at once", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  const [ada, bob] = [await givenMember("owner"), await givenMember("owner")];

  const outcomes = await Promise.allSettled([
    members.setRole(organizationId, ada.signedIn.personId, "viewer"),
    members.remove(organizationId, bob.email),
  ]);

  assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  const owners = (await members.list(organizationId)).filter(({ role }) => role === "owner");
  assert.equal(owners.length, 1);
});

test("a member is removed also while there is no owner yet", async (t) => {
  const { members, newOrganization, givenMember } = await givenMembers(t);
  const young = await newOrganization();
  const { email } = await givenMember("viewer", undefined, young);
  const { signedIn } = await givenMember("viewer", undefined, young);

  await members.setRole(young, signedIn.personId, "member");
  await members.remove(young, email);

  assert.deepEqual(
    (await members.list(young)).map(({ role }) => role),
    ["member"],
  );
});

test("removing a member ends the sessions that act for the organization", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  await givenMember("owner");
  const { email, session } = await givenMember("member");

  await members.remove(organizationId, email);

  await assert.rejects(members.sessions.require(session.token), { code: "unauthenticated" });
  await assert.rejects(members.signIn({ email, password }, origin), { code: "unauthenticated" });
});

test("a session acts only for organizations its person belongs to", async (t) => {
  const { members, newOrganization, givenMember } = await givenMembers(t);
  const { signedIn } = await givenMember();

  await assert.rejects(members.sessions.switchTo(signedIn, await newOrganization()), { code: "not_found" });
  await assert.rejects(members.sessions.switchTo(signedIn, "nonsense"), { code: "not_found" });
});

test("an identity provider's word opens a session for a known, verified address, and for the same subject later", async (t) => {
  const { members, givenMember } = await givenMembers(t);
  const { email } = await givenMember();
  const identity = { issuer: "https://id.example", subject: newUuid(), email, emailVerified: true, name: undefined };
  const signInAs = (changed: Partial<Identity>) =>
    members.signInWithIdentity(async () => ({ identity: { ...identity, ...changed } }), origin);

  assert.deepEqual(await signInAs({ emailVerified: false }), { problem: "unverified" });
  assert.deepEqual(await signInAs({ email: "stranger@example.org" }), { problem: "unknown" });
  assert.ok("session" in (await signInAs({})));

  const later = await signInAs({ email: undefined, emailVerified: false });
  assert.ok("session" in later);
  assert.equal((await members.sessions.require(later.session.token)).email, email);
});

test("an address links an account to one person at the provider, until an owner releases it", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  const { email, session } = await givenMember("owner");
  const signInAs = (subject: string, changed: Partial<Identity> = {}) =>
    members.signInWithIdentity(
      async () => ({
        identity: { issuer: "https://id.example", subject, email, emailVerified: true, name: undefined, ...changed },
      }),
      origin,
    );
  const [one, two] = [newUuid(), newUuid()];

  const first = await Promise.all([signInAs(one), signInAs(two)]);
  const [winner, loser] = "session" in (first[0] ?? {}) ? [one, two] : [two, one];
  assert.deepEqual(
    first.filter((outcome) => "problem" in outcome),
    [{ problem: "linked" }],
  );
  const moved = { email: "moved@example.org" };
  assert.ok("session" in (await signInAs(winner, moved)), "the subject is the person, whatever the address");
  assert.deepEqual(await signInAs(loser), { problem: "linked" });
  assert.deepEqual(await signInAs(winner, { ...moved, issuer: "https://other.example" }), { problem: "unknown" });
  assert.deepEqual(await signInAs(winner, { issuer: "https://other.example" }), { problem: "linked" });
  assert.deepEqual((await members.list(organizationId)).find((member) => member.email === email)?.isLinked, true);

  await members.releaseIdentity(organizationId, email);

  await assert.rejects(members.sessions.require(session.token), { code: "unauthenticated" });
  assert.deepEqual(await signInAs(winner, moved), { problem: "unknown" });
  assert.ok("session" in (await signInAs(loser)));
  assert.deepEqual(await signInAs(winner), { problem: "linked" });
});

test("an account with a password links at the first verified sign-in under its address, once, and keeps its password", async (t) => {
  const { members, givenMember } = await givenMembers(t);
  const { email, signedIn } = await givenMember();
  const signInAs = (subject: string, emailVerified: boolean) => {
    const identity = { issuer: "https://id.example", subject, email, emailVerified, name: "Mallory" };
    return members.signInWithIdentity(async () => ({ identity }), origin);
  };
  const [early, first, late] = [newUuid(), newUuid(), newUuid()];

  assert.deepEqual(await signInAs(early, false), { problem: "unverified" });
  const linked = await signInAs(first, true);
  assert.deepEqual(await signInAs(early, true), { problem: "linked" });
  assert.deepEqual(await signInAs(late, true), { problem: "linked" });

  assert.ok("session" in linked);
  const { token } = await members.signIn({ email, password }, origin);
  for (const each of [linked.session.token, token]) {
    const { personId, name } = await members.sessions.require(each);
    assert.deepEqual([personId, name], [signedIn.personId, "Ada"]);
  }
});

test("an owner releases no account that opens another organization too, and who runs the service does", async (t) => {
  const { members, organizationId, newOrganization, givenMember } = await givenMembers(t);
  const { email } = await givenMember("viewer");
  const { token } = await members.invite(await newOrganization(), { email, role: "owner" });
  await members.accept(token, { password }, origin);

  await assert.rejects(members.releaseIdentity(organizationId, email), { code: "state_conflict", message: /release/ });
  await assert.rejects(members.releaseIdentity(organizationId, "nobody@example.org"), { code: "not_found" });
  await members.releaseIdentity(organizationId, email, { byOperator: true });
});

test("a removed person's address, invited again, belongs to whoever the provider vouches for now", async (t) => {
  const { members, organizationId, givenMember } = await givenMembers(t);
  await givenMember("owner");
  const { email } = await givenMember("member");
  const signInAs = (subject: string) => {
    const identity = { issuer: "https://id.example", subject, email, emailVerified: true, name: undefined };
    return members.signInWithIdentity(async () => ({ identity }), origin);
  };
  const [old, heir] = [newUuid(), newUuid()];
  assert.ok("session" in (await signInAs(old)));

  await members.remove(organizationId, email);
  assert.deepEqual(await signInAs(heir), { problem: "unknown" });
  await members.invite(organizationId, { email, role: "viewer" });

  assert.ok("session" in (await signInAs(heir)));
  assert.deepEqual(await signInAs(old), { problem: "linked" });
  await assert.rejects(members.signIn({ email, password }, origin), { code: "unauthenticated" });
});

test("an identity provider's word brings an invited address in with its role, and uses the invitations up", async (t) => {
  const { members, organizationId, newOrganization, givenMember } = await givenMembers(t);
  const other = await newOrganization();
  for (const each of [organizationId, other]) await givenMember("owner", undefined, each);
  const email = `${newUuid()}@example.org`;
  const { token } = await members.invite(organizationId, { email, role: "member" });
  await members.invite(other, { email, role: "viewer" });
  const identity = { issuer: "https://id.example", subject: newUuid(), email, emailVerified: true, name: "Grace H." };

  const outcomes = await Promise.all(
    ["one", "two"].map(() => members.signInWithIdentity(async () => ({ identity }), origin)),
  );
  const opened = outcomes.filter((outcome) => "session" in outcome);

  assert.ok(opened.length >= 1, JSON.stringify(outcomes));
  const signedIn = await members.sessions.require(opened[0]?.session.token);
  assert.equal(signedIn.name, "Grace H.");
  const joined = await members.sessions.organizations(signedIn);
  assert.deepEqual(
    new Map(joined.map((each) => [each.organizationId, each.role])),
    new Map([
      [organizationId, "member"],
      [other, "viewer"],
    ]),
  );
  await assert.rejects(members.accept(token, { name: "Mallory", password }, origin), { code: "not_found" });
  // Without a password, none is right.
  await assert.rejects(members.signIn({ email, password: "" }, origin), { code: "unauthenticated" });

  await members.remove(organizationId, email);
  await members.remove(other, email);
  assert.deepEqual(await members.signInWithIdentity(async () => ({ identity }), origin), { problem: "unknown" });
});

test("the database keeps neither passwords nor tokens", async (t) => {
  const { db, givenMember } = await givenMembers(t);
  const { session } = await givenMember();

  const { rows } = await db.query<{ stored: string }>(sql`
    select (select string_agg(people::text, ' ') from people) || (select string_agg(sessions::text, ' ') from sessions)
      as stored
  `);

  assert.ok(rows[0]?.stored.includes("$argon2id$v=19$m=19456,t=2,p=1$"));
  assert.ok(!rows[0]?.stored.includes(password));
  assert.ok(!rows[0]?.stored.includes(session.token));
});

test("a role decides the scopes of a person: a viewer only reads", async (t) => {
  const { givenMember } = await givenMembers(t);
  const [member, viewer] = [await givenMember("member"), await givenMember("viewer")];

  assert.ok(principalOf(member.signedIn, "live").scopes.has("scrapes:write"));
  assert.deepEqual([...principalOf(viewer.signedIn, "live").scopes].toSorted(), [
    "datasets:read",
    "exports:read",
    "scrapes:read",
  ]);
  assert.ok(hasRole("owner", "member") && hasRole("member", "member") && !hasRole("viewer", "member"));
});

test("passwords have 10 to 200 characters, four different ones, and not the address in them", () => {
  assert.equal(passwordProblem("abcd123456", "ada.l@example.org"), undefined);
  assert.equal(passwordProblem("abcd".repeat(50), "ada.l@example.org"), undefined);
  for (const bad of ["abcd12345", "abcd".repeat(50) + "e", "ababababab", "xx ada.l xx 12"]) {
    assert.ok(passwordProblem(bad, "ada.l@example.org"), bad);
  }
});

test("an e-mail address is read without case and white space, and refused when it cannot be one", () => {
  assert.equal(readEmail(" Ada@Example.ORG "), "ada@example.org");
  for (const bad of ["", "ada", "ada@", "@example.org", "ada@example", "a b@example.org", "ada@exam\u0000ple.org"]) {
    assert.equal(readEmail(bad), undefined, bad);
  }
});
