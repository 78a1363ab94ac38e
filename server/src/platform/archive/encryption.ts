import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";

/** How a key is made from a passphrase; it stands unencrypted at the head of a file. */
export type KeyRecipe = { salt: string; cost: number };

export class WrongPassphrase extends Error {
  constructor(options?: ErrorOptions) {
    super("The passphrase is wrong, or the backup is damaged.", options);
    this.name = "WrongPassphrase";
  }
}

const chunkBytes = 64 * 1024;
const tagBytes = 16;
const lengthBytes = 4;
const cost = 2 ** 16; // 64 MiB of memory for each guess, with r = 8

export function newKeyRecipe(): KeyRecipe {
  return { salt: randomBytes(16).toString("base64"), cost };
}

/**
 * AES-256-GCM in chunks of 64 KiB. The nonce is the chunk's number and whether it is the last one,
 * so that chunks can be neither exchanged nor left out at the end. Each file has a key of its own by its
 * salt, so no nonce is used twice.
 */
export async function* encrypt(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  recipe: KeyRecipe,
): AsyncGenerator<Buffer> {
  const key = await deriveKey(passphrase, recipe);
  let number = 0;
  let held: Buffer = Buffer.alloc(0);
  const seal = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv("aes-256-gcm", key, nonce(number++, isLast));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32BE(chunk.length);
    return Buffer.concat([length, cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    // Not the last bytes: whether they are the last chunk is known only at the end.
    while (held.length > chunkBytes) {
      yield seal(held.subarray(0, chunkBytes), false);
      held = held.subarray(chunkBytes);
    }
  }
  yield seal(held, true);
}

export async function* decrypt(
  bytes: AsyncIterable<Buffer>,
  passphrase: string,
  recipe: KeyRecipe,
): AsyncGenerator<Buffer> {
  const key = await deriveKey(passphrase, recipe);
  const fullBytes = lengthBytes + chunkBytes + tagBytes;
  let number = 0;
  let held: Buffer = Buffer.alloc(0);
  const open = (sealed: Buffer, isLast: boolean) => {
    try {
      const length = sealed.readUInt32BE();
      const decipher = createDecipheriv("aes-256-gcm", key, nonce(number++, isLast), { authTagLength: tagBytes });
      decipher.setAuthTag(sealed.subarray(lengthBytes + length));
      return Buffer.concat([decipher.update(sealed.subarray(lengthBytes, lengthBytes + length)), decipher.final()]);
    } catch (cause) {
      throw new WrongPassphrase({ cause });
    }
  };
  for await (const chunk of bytes) {
    held = Buffer.concat([held, chunk]);
    while (held.length > fullBytes) {
      yield open(held.subarray(0, fullBytes), false);
      held = held.subarray(fullBytes);
    }
  }
  yield open(held, true);
}

function nonce(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32BE(number, 7);
  bytes[11] = isLast ? 1 : 0;
  return bytes;
}

function deriveKey(passphrase: string, recipe: KeyRecipe): Promise<Buffer> {
  const salt = Buffer.from(recipe.salt, "base64");
  const options = { N: recipe.cost, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
  return new Promise((resolve, reject) =>
    scrypt(passphrase.normalize("NFC"), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}
