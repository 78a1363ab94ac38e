import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/**
 * Secrets at rest: AES-256-GCM under a master key. A sealed value names the key it was sealed under,
 * so that an old and a new key can be in use together while values move from one to the other.
 *
 * Layout: 1 byte for the layout, 4 for the key's id, 12 of nonce, 16 of tag, then the ciphertext.
 */
export type KeyRing = {
  /** The ids of its keys; the first is the one to move to. */
  readonly ids: readonly string[];
  has(keyId: string): boolean;
  /** The context is bound to the value: sealed for one row, it cannot be opened as another's. */
  seal(keyId: string, text: string, context: string): Buffer;
  /** Throws UnknownKey when no key of the ring fits, and an Error when the value was tampered with. */
  open(sealed: Buffer, context: string): string;
};

export class UnknownKey extends Error {
  constructor(keyId: string) {
    super(`no master key here has the id ${keyId}`);
    this.name = "UnknownKey";
  }
}

const layout = 1;
const idBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + idBytes + nonceBytes + tagBytes;

/** A ring of master keys, each given as a text of any form with enough randomness in it. */
export function createKeyRing(masterKeys: readonly string[]): KeyRing {
  const keys = new Map(masterKeys.map((text) => [idOf(text), deriveKey(text)]));

  function find(keyId: string): KeyObject {
    const key = keys.get(keyId);
    if (!key) throw new UnknownKey(keyId);
    return key;
  }

  return {
    ids: [...keys.keys()],
    has: (keyId) => keys.has(keyId),
    seal(keyId, text, context) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", find(keyId), nonce);
      cipher.setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(layout), Buffer.from(keyId, "hex"), nonce, cipher.getAuthTag(), ciphertext]);
    },
    open(sealed, context) {
      const key = find(sealedUnder(sealed));
      const nonce = sealed.subarray(1 + idBytes, 1 + idBytes + nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(headBytes - tagBytes, headBytes));
      return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString("utf8");
    },
  };
}

/** The id of the key a value was sealed under. */
export function sealedUnder(sealed: Buffer): string {
  if (sealed.length < headBytes || sealed[0] !== layout) throw new Error("this is not a sealed value");
  return sealed.toString("hex", 1, 1 + idBytes);
}

function idOf(masterKey: string): string {
  return createHash("sha256")
    .update(`waypost master key id ${masterKey}`)
    .digest("hex")
    .slice(0, 2 * idBytes);
}

function deriveKey(masterKey: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", masterKey, "", "waypost master key", 32)));
}
