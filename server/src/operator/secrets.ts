import { resealSecrets } from "../domains/webhooks/index.ts";
import { type MasterKeys, newMasterKey } from "../platform/crypto/master-keys.ts";
import { createKeyRing } from "../platform/crypto/sealing.ts";
import type { Database } from "../platform/postgres/database.ts";
import { changeMasterKey, findMasterKeyId, lockMasterKeyChange } from "../platform/postgres/vault.ts";

/** What a change of the master key did. */
type Rekeyed = {
  resealed: number;
  /** Where the key now in use is kept. */
  kept_in: string;
};

export function createSecretCommands({ db, masterKeys }: { db: Database; masterKeys: MasterKeys }) {
  /**
   * Seals every stored secret again: under a fresh key when the installation keeps its own, else under
   * the first of the configured ones. It may be killed at any point and run again: the old key is
   * only let go when nothing is sealed under it.
   */
  async function rekey(): Promise<Rekeyed> {
    return masterKeys.source === "configured" ? rekeyToConfigured() : rekeyToFresh(masterKeys);
  }

  async function rekeyToConfigured(): Promise<Rekeyed> {
    const ring = createKeyRing(await masterKeys.read());
    const [keyId = ""] = ring.ids;
    const resealed = await db.transaction(async (tx) => {
      await lockMasterKeyChange(tx);
      if (ring.ids.length === 1 && (await findMasterKeyId(tx)) === keyId) {
        throw new Error(
          "WAYPOST_MASTER_KEY has one key, and it is the one in use. Set it to the new key, a comma and this one, restart every process, and run this again.",
        );
      }
      await changeMasterKey(tx, keyId);
      return resealSecrets(tx, ring, keyId);
    });
    return { resealed, kept_in: "WAYPOST_MASTER_KEY, whose other keys can go now" };
  }

  async function rekeyToFresh(file: MasterKeys & { source: "file" }): Promise<Rekeyed> {
    const resealed = await db.transaction(async (tx) => {
      await lockMasterKeyChange(tx);
      // The file has both keys before the first value is sealed under the new one.
      const keys = [newMasterKey(), ...(await file.read())];
      await file.replace(keys);
      const ring = createKeyRing(keys);
      const [keyId = ""] = ring.ids;
      await changeMasterKey(tx, keyId);
      return resealSecrets(tx, ring, keyId);
    });
    await db.transaction(async (tx) => {
      await lockMasterKeyChange(tx);
      const keyId = await findMasterKeyId(tx);
      const used = (await file.read()).filter((key) => createKeyRing([key]).ids[0] === keyId);
      if (used.length > 0) await file.replace(used);
    });
    return { resealed, kept_in: file.path };
  }

  return { rekey };
}
