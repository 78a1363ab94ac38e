import type { Environment, Principal, Scope } from "../api-keys/index.ts";
import { scopes } from "../api-keys/index.ts";
import { characterCount } from "../../platform/text.ts";

/**
 * What a person may do in an organization. An owner manages members, keys and settings; a member
 * searches, runs jobs and manages webhooks; a viewer reads. Each may do what the next one may.
 */
export const roles = ["owner", "member", "viewer"] as const;
export type Role = (typeof roles)[number];

export type Person = { id: string; email: string; name: string; passwordHash: string | null };

export type Member = {
  personId: string;
  email: string;
  name: string;
  role: Role;
  joinedAt: Date;
  /** Whether the account belongs to a person at the identity provider. */
  isLinked: boolean;
};

/** A person with an open session, acting for one of their organizations. */
export type SignedIn = {
  sessionId: string;
  personId: string;
  email: string;
  name: string;
  organizationId: string;
  organizationName: string;
  role: Role;
  /** Whether the organization may use the live API at all. */
  entitled: boolean;
};

export function hasRole(held: Role, needed: Role): boolean {
  return roles.indexOf(held) <= roles.indexOf(needed);
}

const readScopes: readonly Scope[] = ["scrapes:read", "datasets:read", "exports:read"];

/** The person as the verbs of other domains see a caller: the role decides the scopes. */
export function principalOf(signedIn: SignedIn, environment: Environment): Principal {
  return {
    organizationId: signedIn.organizationId,
    keyId: `person:${signedIn.personId}`,
    environment,
    scopes: new Set(hasRole(signedIn.role, "member") ? scopes : readScopes),
    entitled: signedIn.entitled,
  };
}

export const passwordLength = { min: 10, max: 200 };
export const nameLengthMax = 100;
export const emailLengthMax = 254;

/** Lower case and without white space around it; undefined when it cannot be an address. */
export function readEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= emailLengthMax &&
    /^[^\s@\p{Cc}\p{Cs}]{1,64}@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}.]+$/u.test(email)
    ? email
    : undefined;
}

/** What is wrong with a password; undefined when it will do. Length counts more than variety (NIST SP 800-63B). */
export function passwordProblem(password: string, email: string): string | undefined {
  const { min, max } = passwordLength;
  const length = characterCount(password);
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  if (new Set(password).size < 4) return "must have at least 4 different characters";
  const [account = ""] = email.split("@");
  if (account.length >= 4 && password.toLowerCase().includes(account)) return "must not contain your e-mail address";
  return undefined;
}
