import { createHash, randomBytes } from "node:crypto";

/** A secret that only its bearer has; the database keeps the hash. 256 random bits need no slow hash. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString("base64url");
  return { token, hash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
