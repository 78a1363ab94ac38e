import assert from "node:assert/strict";
import { test } from "node:test";
import { newUuid } from "../../platform/ids.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { givenMembers, origin, password } from "./testing.ts";

test("the eleventh failed sign-in of an account within a quarter of an hour is refused, even with the right password", async (t) => {
  const { members, clock, givenMember } = await givenMembers(t);
  const { email } = await givenMember();
  for (let attempt = 0; attempt < 9; attempt += 1) {
    await assert.rejects(members.signIn({ email, password: "wrong password" }, origin), { code: "unauthenticated" });
  }
  await members.signIn({ email, password }, origin); // the counter begins again
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await assert.rejects(members.signIn({ email, password: "wrong password" }, origin), { code: "unauthenticated" });
  }

  await assert.rejects(members.signIn({ email, password }, origin), {
    code: "rate_limited",
    message: "Too many sign-ins failed; try again in 15 minutes.",
  });
  clock.advance(15 * 60_000);
  await members.signIn({ email, password }, origin);
});

test("one address cannot try many accounts", async (t) => {
  const { members } = await givenMembers(t);
  const attacker = { userAgent: "a script", address: "2001:db8:1:2:3:4:5:6" };
  const neighbor = { ...attacker, address: "2001:db8:1:2::9" };
  const attempt = (from: typeof attacker) =>
    members.signIn({ email: `${newUuid()}@example.org`, password }, from).catch(({ code }) => code);

  const codes = [];
  for (let count = 0; count < 50; count += 1) codes.push(await attempt(attacker));

  assert.deepEqual(new Set(codes), new Set(["unauthenticated"]));
  assert.equal(await attempt(neighbor), "rate_limited");
  assert.equal(await attempt({ ...attacker, address: "2001:db8:1:3::9" }), "unauthenticated");
});

test("guessing a password is limited wherever it is asked for, also by many guesses at once", async (t) => {
  const { members, newOrganization, givenMember } = await givenMembers(t);
  const elsewhere = await newOrganization();
  const from = (index: number) => ({ ...origin, address: `198.51.100.${index}` });
  const wrong = "another password";

  const signingIn = await givenMember();
  const atOnce = Array.from({ length: 30 }, (_, index) =>
    members.signIn({ email: signingIn.email, password: wrong }, from(index)),
  );
  assert.deepEqual(countCodes(await Promise.allSettled(atOnce)), { unauthenticated: 10, rate_limited: 20 });

  const invited = await givenMember();
  const { token } = await members.invite(elsewhere, { email: invited.email, role: "viewer" });
  const accepting = Array.from({ length: 12 }, (_, index) => members.accept(token, { password: wrong }, from(index)));
  assert.deepEqual(countCodes(await Promise.allSettled(accepting)), { invalid_request: 10, rate_limited: 2 });
  await assert.rejects(members.accept(token, { password }, origin), { code: "rate_limited" });

  const changing = await givenMember();
  const request = { current: wrong, next: "a longer password" };
  const changes = Array.from({ length: 12 }, (_, index) =>
    members.changePassword(changing.signedIn, request, from(index).address),
  );
  assert.deepEqual(countCodes(await Promise.allSettled(changes)), { invalid_request: 10, rate_limited: 2 });
});

test("who signs in rightly uses up nothing of what an address may fail", async (t) => {
  const { db, members, givenMember } = await givenMembers(t);
  const { email } = await givenMember();
  const office = { ...origin, address: "198.51.100.200" };
  await assert.rejects(members.signIn({ email, password: "wrong password" }, office));

  for (let count = 0; count < 3; count += 1) await members.signIn({ email, password }, office);

  const { rows } = await db.query(sql`
    select failures
    from sign_in_failures
    where subject = 'address:198.51.100.200'
  `);
  assert.deepEqual(rows, [{ failures: 1 }]);
});

function countCodes(outcomes: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const outcome of outcomes) {
    const code = outcome.status === "rejected" ? (outcome.reason as { code: string }).code : "fulfilled";
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}
