import type { Vault } from "../../../platform/postgres/vault.ts";
import type { ClaimedDelivery } from "./store.ts";
import { secretContext } from "../endpoints/secret.ts";
import { type SigningSecret, signingSecret } from "../events/signature.ts";

const entriesMax = 1_000;

/** Secrets as they are used for signing. A version never changes, so none is opened twice in a row. */
export function createSecretCache(vault: Vault) {
  const known = new Map<string, SigningSecret>();

  async function open({ endpointId, secretVersion, sealedSecret }: ClaimedDelivery): Promise<SigningSecret> {
    const name = `${endpointId} ${secretVersion}`;
    const cached = known.get(name);
    if (cached) return cached;

    if (!sealedSecret) throw new Error(`endpoint ${endpointId} has no secret of version ${secretVersion}`);
    const secret = signingSecret(await vault.open(sealedSecret, secretContext(endpointId, secretVersion)));
    if (known.size >= entriesMax) known.clear();
    known.set(name, secret);
    return secret;
  }

  return { open, forget: () => known.clear() };
}

export type SecretCache = ReturnType<typeof createSecretCache>;
