import { advisoryLocks } from "./advisory-locks.ts";
import { type KeyRing, UnknownKey } from "../crypto/sealing.ts";
import type { Queryable, Transaction } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * Seals and opens secrets under the master key that all processes on one database agree on: its id
 * stands in the table `installation`. A process that still knows only the old key after a change
 * cannot seal under it, because sealing reads that row and keeps it from changing until the
 * transaction ends.
 */
export type Vault = {
  seal(tx: Transaction, text: string, context: string): Promise<Buffer>;
  open(sealed: Buffer, context: string): Promise<string>;
};

type VaultDeps = {
  ring: KeyRing;
  /** Reads the keys again, for a process that has been running while they changed. */
  reload(): Promise<KeyRing>;
};

export function createVault({ ring: first, reload }: VaultDeps): Vault {
  let ring = first;

  async function ringWith(keyId: string): Promise<KeyRing> {
    if (!ring.has(keyId)) ring = await reload();
    return ring;
  }

  return {
    async seal(tx, text, context) {
      const keyId = await findMasterKeyId(tx);
      if (keyId === undefined) throw new Error("the installation has no master key");
      return (await ringWith(keyId)).seal(keyId, text, context);
    },
    async open(sealed, context) {
      try {
        return ring.open(sealed, context);
      } catch (error) {
        if (!(error instanceof UnknownKey)) throw error;
        ring = await reload();
        return ring.open(sealed, context);
      }
    },
  };
}

/** Records the ring's first key as the one in use, unless one is recorded; then the ring must have it. */
export async function agreeOnMasterKey(db: Queryable, ring: KeyRing): Promise<void> {
  await db.query(sql`
    insert into installation (name, value)
    values ('master_key_id', ${ring.ids[0]})
    on conflict (name) do nothing
  `);
  const keyId = await findMasterKeyId(db);
  if (keyId !== undefined && ring.has(keyId)) return;
  throw new Error(
    "This database's secrets were sealed under another master key. Set WAYPOST_MASTER_KEY to the content of the file master-key in the data folder of the first installation, or to the new key and the old one, separated by a comma.",
  );
}

/** One change at a time: others wait until the transaction ends. */
export async function lockMasterKeyChange(tx: Transaction): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${advisoryLocks.masterKeyChange})`);
}

/** Makes another key the one in use; waits for those who are sealing under the present one. */
export async function changeMasterKey(tx: Transaction, keyId: string): Promise<void> {
  await tx.query(sql`
    update installation
    set value = ${keyId}
    where name = 'master_key_id'
  `);
}

/** The id of the key in use, which stays so until the transaction ends. */
export async function findMasterKeyId(db: Queryable): Promise<string | undefined> {
  const { rows } = await db.query<{ value: string }>(sql`
    select value
    from installation
    where name = 'master_key_id'
    for share
  `);
  return rows[0]?.value;
}
