import { crc32 } from "node:zlib";
import { base62Of, randomBase62, toBase62 } from "../../platform/crypto/base62.ts";

/**
 * A key is active until it expires or is revoked; both are final. Rotating a key makes a
 * replacement and lets the old one expire after an overlap of at most a day.
 */

export const scopes = [
  "scrapes:write",
  "scrapes:read",
  "datasets:read",
  "exports:write",
  "exports:read",
  "webhooks:manage",
] as const;
export type Scope = (typeof scopes)[number];

export const environments = ["live", "test"] as const;
export type Environment = (typeof environments)[number];

/** Who is asking: what a verified key says of its bearer. */
export type Principal = {
  organizationId: string;
  keyId: string;
  environment: Environment;
  scopes: ReadonlySet<Scope>;
  /** Whether the organization may use the live API at all. */
  entitled: boolean;
};

export type ApiKey = {
  /** TypeID, `key_…`. */
  id: string;
  organizationId: string;
  environment: Environment;
  name: string;
  /** Everything of the key that may be shown, `svc_live_Ab12Cd34…`. */
  maskedPrefix: string;
  scopes: Scope[];
  allowedNetworks: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  createdAt: Date;
  replacedBy: string | null;
  revokedAt: Date | null;
  revokedReason: string | null;
};

export const overlapHoursMax = 24;
export const nameLengthMax = 100;
export const reasonLength = { min: 10, max: 500 };
export const networksMax = 50;

/** The public and the secret characters together. */
const partsLength = 40;

const shape = /^(svc_(live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export type KeyText = { text: string; environment: Environment; publicPart: string };

export function newKeyText(environment: Environment): KeyText {
  return keyTextOf(environment, randomBase62(partsLength));
}

/** The text of a key that comes from other secrets: the same one of the same 64 bytes. */
export function keyTextFrom(environment: Environment, bytes: Uint8Array): KeyText {
  const characters = base62Of(bytes);
  if (characters.length < partsLength) throw new Error("too few of the bytes can be written in base62");
  return keyTextOf(environment, characters);
}

function keyTextOf(environment: Environment, characters: string): KeyText {
  const publicPart = characters.slice(0, 8);
  const body = `svc_${environment}_${publicPart}_${characters.slice(8, partsLength)}`;
  return { text: body + checksum(body), environment, publicPart };
}

/** Reads a key as presented; a typo fails its checksum here, without a question to the database. */
export function parseKeyText(text: string): KeyText | undefined {
  const [, body, environment, publicPart, sum] = shape.exec(text) ?? [];
  if (!body || !publicPart || checksum(body) !== sum) return undefined;
  return { text, environment: environment === "live" ? "live" : "test", publicPart };
}

/** Where the public part stands in a key; of any other text, whatever stands there. */
export function publicPartIn(text: string): string {
  return text.slice(9, 17);
}

export function maskedPrefix(environment: Environment, publicPart: string): string {
  return `svc_${environment}_${publicPart}…`;
}

export function keyStatus(key: ApiKey, now: Date): "active" | "expired" | "revoked" {
  if (key.revokedAt) return "revoked";
  if (key.expiresAt && key.expiresAt <= now) return "expired";
  return "active";
}

function checksum(body: string): string {
  return toBase62(crc32(body), 6);
}
