import { randomBytes } from "node:crypto";
import { type KeyRing, sealedUnder } from "../../../platform/crypto/sealing.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import { listSealedSecrets, updateSealed } from "./secret-store.ts";

/** How long a version lives on after a normal rotation, and longer while deliveries need it. */
export const overlapMs = 25 * 3_600_000;

const resealBatch = 500;

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** What a sealed secret is bound to, so that one row's cannot be passed off as another's. */
export function secretContext(endpointId: string, version: number): string {
  return `webhook secret ${endpointId} ${version}`;
}

/** Reseals every secret that is not under this key yet; resolves to their number. */
export async function resealSecrets(tx: Queryable, ring: KeyRing, keyId: string): Promise<number> {
  let resealed = 0;
  let after = { endpointId: "00000000-0000-0000-0000-000000000000", version: 0 };
  for (;;) {
    const batch = await listSealedSecrets(tx, after, resealBatch);
    for (const { endpointId, version, sealed } of batch) {
      after = { endpointId, version };
      if (sealedUnder(sealed) === keyId) continue;
      const context = secretContext(endpointId, version);
      await updateSealed(tx, { ...after, sealed: ring.seal(keyId, ring.open(sealed, context), context) });
      resealed += 1;
    }
    if (batch.length < resealBatch) return resealed;
  }
}
