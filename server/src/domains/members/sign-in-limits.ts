import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { sql } from "../../platform/postgres/sql.ts";
import { TooManySignIns } from "./errors.ts";

const windowMs = 15 * 60_000;
const failuresMax = { account: 10, address: 50 };

/** Counts failed sign-ins per account and per address, on all processes together. */
export function createSignInLimits({ db, clock }: { db: Database; clock: Clock }) {
  /**
   * Counts an attempt as failed before it is known how it ends, so that a hundred at once are as many as one after the other.
   * Throws when the account or the address has failed too often in the current window.
   */
  async function begin(email: string, address: string): Promise<void> {
    const retryAfterSeconds = await findWait(email, address);
    if (retryAfterSeconds !== undefined) throw tooManySignIns(retryAfterSeconds);
    const counted = await count([accountSubject(email), addressSubject(address)]);
    const tooMany = counted.find(({ subject, failures }) => failures > failuresMaxOf(subject));
    if (tooMany) throw tooManySignIns(secondsUntil(tooMany.windowEndsAt));
  }

  /** The attempt was none that failed. */
  async function succeed(email: string, address: string): Promise<void> {
    await db.query(sql`
      with cleared as (
        delete from sign_in_failures
        where subject = ${accountSubject(email)}
      )
      update sign_in_failures
      set failures = failures - 1
      where subject = ${addressSubject(address)}
        and failures > 0
    `);
  }

  /** Whether the address alone has failed too often, for sign-ins whose account is not known yet. */
  async function isBlocked(address: string): Promise<boolean> {
    return (await findWait(undefined, address)) !== undefined;
  }

  /** How long a blocked account or address must wait; undefined when neither is blocked. */
  async function findWait(email: string | undefined, address: string): Promise<number | undefined> {
    const now = clock.now();
    const account = email === undefined ? null : accountSubject(email);
    const { rows } = await db.query<{ windowEndsAt: Date }>(sql`
      select window_ends_at as "windowEndsAt"
      from sign_in_failures
      where window_ends_at > ${now}
        and (
          (subject = ${account}::text and failures >= ${failuresMax.account})
          or (subject = ${addressSubject(address)} and failures >= ${failuresMax.address})
        )
      order by window_ends_at desc
      limit 1
    `);
    const [blocked] = rows;
    return blocked && secondsUntil(blocked.windowEndsAt);
  }

  function secondsUntil(moment: Date): number {
    return Math.ceil((moment.getTime() - clock.now().getTime()) / 1_000);
  }

  async function countAddress(address: string): Promise<void> {
    await count([addressSubject(address)]);
  }

  async function count(subjects: readonly string[]) {
    const now = clock.now();
    const endsAt = new Date(now.getTime() + windowMs);
    const { rows } = await db.query<{ subject: string; failures: number; windowEndsAt: Date }>(sql`
      insert into sign_in_failures as known (subject, failures, window_ends_at)
      select subject, 1, ${endsAt}::timestamptz
      from unnest(${subjects.toSorted()}::text[]) as subject
      on conflict (subject) do update
      set failures = case when known.window_ends_at > ${now} then known.failures + 1 else 1 end,
        window_ends_at = case when known.window_ends_at > ${now} then known.window_ends_at else ${endsAt} end
      returning subject, failures, window_ends_at as "windowEndsAt"
    `);
    return rows;
  }

  return { begin, succeed, isBlocked, countAddress };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

function failuresMaxOf(subject: string): number {
  return subject.startsWith(accountPrefix) ? failuresMax.account : failuresMax.address;
}

const accountPrefix = "account:";

/** A hash, because people mistype passwords into the field of the address. */
function accountSubject(email: string): string {
  return `${accountPrefix}${createHash("sha256").update(email).digest("hex")}`;
}

/** One subscriber usually has a whole /64 of IPv6. */
function addressSubject(address: string): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return `address:${address}`;
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const whole = [...groups, ...Array<string>(Math.max(0, missing)).fill("0"), ...(tail ? tail.split(":") : [])];
  return `address:${whole.slice(0, 4).join(":")}::/64`;
}

/** In minutes, since a person reads it; a program reads the header. */
function tooManySignIns(retryAfterSeconds: number) {
  return TooManySignIns({ minutes: Math.ceil(retryAfterSeconds / 60) }, { retryAfterSeconds });
}
