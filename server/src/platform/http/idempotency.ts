import { createHash } from "node:crypto";
import { newUuid } from "../ids.ts";
import type { Database, Queryable } from "../postgres/database.ts";
import { type Sql, sql } from "../postgres/sql.ts";
import { canonicalJson } from "./canonical-json.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "./errors.ts";

/**
 * A client that repeats a call with the same key and body gets the first answer again.
 *
 * A record is *running* while it holds a lease and *answered* afterwards. Whoever inserts it runs
 * the call; a twin meanwhile is told to wait. A call that fails removes its record; one whose
 * process died is free again when the lease ends. An answered record is kept for a day.
 */
export type IdempotentCall = {
  /** Who calls: keys of different owners never meet. */
  owner: string;
  route: string;
  /** Absent when the client sent none: the call then simply runs. */
  key: string | undefined;
  body: unknown;
};

export type Answer<Data> = { status: number; data: Data };

/** Makes the answer durable. Call it in the transaction of the effects it stands for. */
export type RecordAnswer<Data> = (tx: Queryable, answer: Answer<Data>) => Promise<void>;

const leaseSeconds = 30;
const keptHours = 24;
const sweepBatch = 1_000;
const claimAttemptsMax = 5;

export async function runOnce<Data>(
  db: Database,
  call: IdempotentCall,
  work: (record: RecordAnswer<Data>) => Promise<Answer<Data>>,
): Promise<Answer<Data> & { replayed: boolean }> {
  const { key } = call;
  if (key === undefined) return { ...(await work(async () => undefined)), replayed: false };

  const claim = { ...call, key, fingerprint: fingerprintOf(call.body), token: newUuid() };
  const earlier = await claimOrFind<Data>(db, claim);
  if (earlier) return { ...earlier, replayed: true };

  try {
    const answer = await work((tx, made) => saveAnswer(tx, claim, made));
    return { ...answer, replayed: false };
  } catch (error) {
    // Best effort: should this fail too, the lease frees the key.
    await release(db, claim).catch(() => undefined);
    throw error;
  }
}

/** A call whose record is written together with its effects, and therefore never seen running. */
export type AtomicCall = IdempotentCall & { key: string };

/**
 * Inserts the answered record, for a `with` of the statement that has the effects: it returns a row
 * when the key was free, and none when there is an earlier answer. A twin that is still at work is
 * waited for, so that its commit or its rollback decides.
 */
export function claimAnswered({ owner, route, key, body }: AtomicCall, { status, data }: Answer<unknown>): Sql {
  return sql`
    insert into idempotency_records (owner, route, key, fingerprint, token, status, answer, expires_at)
    values (${owner}, ${route}, ${key}, ${fingerprintOf(body)}, ${newUuid()}, ${status}, ${JSON.stringify(data)},
      now() + make_interval(hours => ${keptHours}))
    on conflict (owner, route, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token, status = excluded.status,
      answer = excluded.answer, expires_at = excluded.expires_at, lease_until = null
    where idempotency_records.expires_at < now()
    returning key
  `;
}

/** The same as a statement of its own, in the caller's transaction; false when there is an earlier answer. */
export async function recordAnswered(tx: Queryable, call: AtomicCall, answer: Answer<unknown>): Promise<boolean> {
  const { rowCount } = await tx.query(claimAnswered(call, answer));
  return rowCount === 1;
}

/** The answer an earlier twin got; undefined when there was none. */
export async function findAnswered<Data>(db: Queryable, call: AtomicCall): Promise<Answer<Data> | undefined> {
  const record = await findRecord<Data>(db, call);
  if (!record) return undefined;
  if (!record.fingerprint.equals(fingerprintOf(call.body))) throw IdempotencyKeyReused();
  return record.status === null ? undefined : { status: record.status, data: record.answer };
}

/** Changes the status that replays will have, because the first answer was sent later than recorded. */
export async function updateAnsweredStatus(
  db: Queryable,
  { owner, route, key }: AtomicCall,
  status: number,
): Promise<void> {
  await db.query(sql`
    update idempotency_records
    set status = ${status}
    where owner = ${owner}
      and route = ${route}
      and key = ${key}
      and status is not null
  `);
}

/** Removes records whose day is over, a batch at a time; resolves to how many went. */
export async function sweepIdempotency(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from idempotency_records
    where (owner, route, key) in (
      select owner, route, key
      from idempotency_records
      where expires_at < now()
      limit ${sweepBatch}
      for update skip locked
    )
  `);
  return rowCount;
}

type Claim = { owner: string; route: string; key: string; fingerprint: Buffer; token: string };

/** Takes the key for this call, or resolves to the answer an earlier twin got. */
async function claimOrFind<Data>(db: Database, claim: Claim): Promise<Answer<Data> | undefined> {
  for (let attempt = 1; attempt <= claimAttemptsMax; attempt += 1) {
    if (await insertClaim(db, claim)) return undefined;
    const record = await findRecord<Data>(db, claim);
    if (!record) continue; // released between the two statements
    if (!record.fingerprint.equals(claim.fingerprint)) throw IdempotencyKeyReused();
    if (record.status !== null) return { status: record.status, data: record.answer };
    break;
  }
  throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 });
}

async function insertClaim(db: Queryable, { owner, route, key, fingerprint, token }: Claim): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    insert into idempotency_records (owner, route, key, fingerprint, token, lease_until, expires_at)
    values (${owner}, ${route}, ${key}, ${fingerprint}, ${token},
      now() + make_interval(secs => ${leaseSeconds}), now() + make_interval(hours => ${keptHours}))
    on conflict (owner, route, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at, status = null, answer = null
    where idempotency_records.expires_at < now()
      or (idempotency_records.lease_until < now() and idempotency_records.fingerprint = excluded.fingerprint)
  `);
  return rowCount === 1;
}

async function findRecord<Data>(db: Queryable, { owner, route, key }: Pick<Claim, "owner" | "route" | "key">) {
  const { rows } = await db.query<{ fingerprint: Buffer; status: number | null; answer: Data }>(sql`
    select fingerprint, status, answer
    from idempotency_records
    where owner = ${owner}
      and route = ${route}
      and key = ${key}
  `);
  return rows[0];
}

async function saveAnswer(tx: Queryable, claim: Claim, { status, data }: Answer<unknown>): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update idempotency_records
    set status = ${status}, answer = ${JSON.stringify(data)}, lease_until = null
    where owner = ${claim.owner}
      and route = ${claim.route}
      and key = ${claim.key}
      and token = ${claim.token}
  `);
  // Another process took the key after our lease had ended: its answer counts, and ours must not.
  if (rowCount !== 1) throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 });
}

async function release(db: Queryable, { owner, route, key, token }: Claim): Promise<void> {
  await db.query(sql`
    delete from idempotency_records
    where owner = ${owner}
      and route = ${route}
      and key = ${key}
      and token = ${token}
      and status is null
  `);
}

function fingerprintOf(body: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(body)).digest();
}
