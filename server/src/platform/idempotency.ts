import { fingerprintOf } from "./canonical-json.ts";
import { IdempotencyInProgress, IdempotencyKeyReused } from "./errors.ts";
import { newUuid } from "./ids.ts";
import { type Database, isOutage, type Queryable } from "./postgres/database.ts";
import { type Sql, sql } from "./postgres/sql.ts";

/**
 * A client that repeats a call with the same key and request gets the first outcome again.
 *
 * A record is *running* while it holds a lease and *completed* afterwards. The request that inserts it runs
 * the call and renews its lease; a concurrent twin is refused as in progress. A call that fails removes its
 * record; the end of the lease frees the record of a process that died. A completed record is kept for a day.
 */
export type IdempotentCall = {
  /** Who calls: keys of different owners never meet. */
  owner: string;
  /** The name of the operation, with the resource it acts on where there is one. */
  operation: string;
  /** Absent when the client sent none: the call then simply runs. */
  key: string | undefined;
  request: unknown;
};

/** How a call ended, in the operation's own words, and what it yielded. Each edge translates the word. */
export type Outcome<Name extends string, Data> = { outcome: Name; data: Data };

/** Makes the outcome durable. Call it in the transaction of the effects it stands for. */
export type RecordOutcome<Name extends string, Data> = (tx: Queryable, outcome: Outcome<Name, Data>) => Promise<void>;

/** How long a killed process's key stays taken. */
const leaseSeconds = 10;
const renewMs = (leaseSeconds * 1_000) / 4;
const keptHours = 24;
const sweepBatch = 1_000;
const claimAttemptsMax = 5;
/** Between the releases of a key after an outage; together shorter than the lease. */
const outagePausesMs = [100, 500, 2_000, 5_000];

export async function runOnce<Name extends string, Data>(
  db: Database,
  call: IdempotentCall,
  work: (record: RecordOutcome<Name, Data>) => Promise<Outcome<Name, Data>>,
): Promise<Outcome<Name, Data> & { replayed: boolean }> {
  const { key } = call;
  if (key === undefined) return { ...(await work(async () => undefined)), replayed: false };

  const claim = { ...call, key, fingerprint: fingerprintOf(call.request), token: newUuid() };
  try {
    const earlier = await claimOrFind<Name, Data>(db, claim);
    if (earlier) return { ...earlier, replayed: true };
    const renewal = keepLease(db, claim);
    const outcome = await work((tx, made) => saveOutcome(tx, claim, made)).finally(renewal.stop);
    return { ...outcome, replayed: false };
  } catch (error) {
    // An outage outlasts the answer: the caller does not wait for the release then.
    const released = releaseWithRetries(db, claim, isOutage(error) ? outagePausesMs : []);
    if (!isOutage(error)) await released;
    throw error;
  }
}

/** A call whose record is written together with its effects, and therefore never seen running. */
export type AtomicCall = IdempotentCall & {
  key: string;
  /** That of the request, where somebody has made it already: a large one takes its time. */
  fingerprint?: Uint8Array;
};

/**
 * Inserts the completed record, for a `with` of the statement that has the effects: it returns a row
 * when the key was free, and none when there is an earlier outcome. The insert waits for a concurrent
 * twin, so that the twin's commit or rollback decides.
 */
export function claimCompleted(
  { owner, operation, key, request, fingerprint = fingerprintOf(request) }: AtomicCall,
  { outcome, data }: Outcome<string, unknown>,
): Sql {
  return sql`
    insert into idempotency_records (owner, operation, key, fingerprint, token, outcome, answer, expires_at)
    values (${owner}, ${operation}, ${key}, ${fingerprint}, ${newUuid()}, ${outcome},
      ${JSON.stringify(data)}, now() + make_interval(hours => ${keptHours}))
    on conflict (owner, operation, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token, outcome = excluded.outcome,
      answer = excluded.answer, expires_at = excluded.expires_at, lease_until = null
    where idempotency_records.expires_at < now()
    returning key
  `;
}

/** The same as a statement of its own, in the caller's transaction; false when there is an earlier outcome. */
export async function recordCompleted(
  tx: Queryable,
  call: AtomicCall,
  outcome: Outcome<string, unknown>,
): Promise<boolean> {
  const { rowCount } = await tx.query(claimCompleted(call, outcome));
  return rowCount === 1;
}

/** The outcome of an earlier twin; undefined when there was none, or it is no longer kept. */
export async function findCompleted<Name extends string, Data>(
  db: Queryable,
  call: AtomicCall,
): Promise<Outcome<Name, Data> | undefined> {
  const record = await findRecord<Name, Data>(db, call);
  if (!record) return undefined;
  if (!record.fingerprint.equals(fingerprintOf(call.request))) throw IdempotencyKeyReused();
  return record.outcome === null ? undefined : { outcome: record.outcome, data: record.answer };
}

/** Changes the outcome that replays will have, because the first caller got another one than was recorded. */
export async function updateOutcome(
  db: Queryable,
  { owner, operation, key }: AtomicCall,
  outcome: string,
): Promise<void> {
  await db.query(sql`
    update idempotency_records
    set outcome = ${outcome}
    where owner = ${owner}
      and operation = ${operation}
      and key = ${key}
      and outcome is not null
  `);
}

/** Deletes a batch of expired records; resolves to how many. */
export async function sweepIdempotency(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from idempotency_records
    where (owner, operation, key) in (
      select owner, operation, key
      from idempotency_records
      where expires_at < now()
      limit ${sweepBatch}
      for update skip locked
    )
  `);
  return rowCount;
}

type Claim = { owner: string; operation: string; key: string; fingerprint: Buffer; token: string };

/** Takes the key for this call, or resolves to the outcome of an earlier twin. */
async function claimOrFind<Name extends string, Data>(
  db: Database,
  claim: Claim,
): Promise<Outcome<Name, Data> | undefined> {
  let retryAfterSeconds = 1;
  for (let attempt = 1; attempt <= claimAttemptsMax; attempt += 1) {
    if (await insertClaim(db, claim)) return undefined;
    const record = await findRecord<Name, Data>(db, claim);
    if (!record) continue; // released between the two statements
    if (!record.fingerprint.equals(claim.fingerprint)) throw IdempotencyKeyReused();
    if (record.outcome !== null) return { outcome: record.outcome, data: record.answer };
    ({ retryAfterSeconds } = record);
    break;
  }
  throw IdempotencyInProgress(undefined, { retryAfterSeconds });
}

async function insertClaim(db: Queryable, { owner, operation, key, fingerprint, token }: Claim): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    insert into idempotency_records (owner, operation, key, fingerprint, token, lease_until, expires_at)
    values (${owner}, ${operation}, ${key}, ${fingerprint}, ${token},
      now() + make_interval(secs => ${leaseSeconds}), now() + make_interval(hours => ${keptHours}))
    on conflict (owner, operation, key) do update
    set fingerprint = excluded.fingerprint, token = excluded.token, lease_until = excluded.lease_until,
      expires_at = excluded.expires_at, outcome = null, answer = null
    where idempotency_records.expires_at < now()
      or (idempotency_records.lease_until < now() and idempotency_records.fingerprint = excluded.fingerprint)
  `);
  return rowCount === 1;
}

async function findRecord<Name extends string, Data>(
  db: Queryable,
  { owner, operation, key }: Pick<Claim, "owner" | "operation" | "key">,
) {
  const { rows } = await db.query<{
    fingerprint: Buffer;
    outcome: Name | null;
    answer: Data;
    /** Until the lease ends. */
    retryAfterSeconds: number;
  }>(sql`
    select fingerprint, outcome, answer,
      greatest(ceil(extract(epoch from lease_until - now())), 1)::integer as "retryAfterSeconds"
    from idempotency_records
    where owner = ${owner}
      and operation = ${operation}
      and key = ${key}
      and expires_at >= now()
  `);
  return rows[0];
}

/** Renews the lease of a running call. Most calls end before the first renewal. */
function keepLease(db: Queryable, { owner, operation, key, token }: Claim): { stop(): void } {
  const timer = setInterval(() => {
    // During an outage the lease may end: then the token keeps this call from writing.
    db.query(sql`
      update idempotency_records
      set lease_until = now() + make_interval(secs => ${leaseSeconds})
      where owner = ${owner}
        and operation = ${operation}
        and key = ${key}
        and token = ${token}
        and outcome is null
    `).catch(() => undefined);
  }, renewMs).unref();
  return { stop: () => clearInterval(timer) };
}

async function saveOutcome(tx: Queryable, claim: Claim, { outcome, data }: Outcome<string, unknown>): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update idempotency_records
    set outcome = ${outcome}, answer = ${JSON.stringify(data)}, lease_until = null
    where owner = ${claim.owner}
      and operation = ${claim.operation}
      and key = ${claim.key}
      and token = ${claim.token}
  `);
  // Another process took the key after our lease had ended: its outcome counts, and ours must not.
  if (rowCount !== 1) throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 });
}

/**
 * Frees the key of a call that failed. With pauses, that is tried until there was something to free: the database may
 * still be away, and a claim whose answer was lost may arrive after its release. Should all fail, the lease frees the key.
 */
async function releaseWithRetries(db: Queryable, claim: Claim, [pauseMs, ...others]: readonly number[]): Promise<void> {
  const isReleased = await release(db, claim).catch(() => false);
  if (isReleased || pauseMs === undefined) return;
  setTimeout(() => void releaseWithRetries(db, claim, others), pauseMs).unref();
}

/** False when the call does not hold the key, or has completed. */
async function release(db: Queryable, { owner, operation, key, token }: Claim): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from idempotency_records
    where owner = ${owner}
      and operation = ${operation}
      and key = ${key}
      and token = ${token}
      and outcome is null
  `);
  return rowCount === 1;
}
