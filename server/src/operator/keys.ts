import {
  type ApiKey,
  type ApiKeys,
  environments,
  KeyRequestInvalid,
  keyStatus,
  newKeyText,
  type RevealedKey,
} from "../domains/api-keys/index.ts";
import type { Organizations } from "../domains/organizations/index.ts";

/** A key as an operator is shown it. */
export type KeyView = {
  id: string;
  name: string;
  environment: string;
  prefix: string;
  status: string;
  scopes: string[];
  networks: string[];
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  replaced_by: string | null;
  revoked_at: string | null;
  revoked_reason: string | null;
};

export type CreateKeyOptions = {
  organization: string | undefined;
  name: string;
  environment: string;
  scopes: readonly string[] | undefined;
  networks: readonly string[];
  expires: string | undefined;
};

export function createKeyCommands({ organizations, apiKeys }: { organizations: Organizations; apiKeys: ApiKeys }) {
  async function create({ organization, name, environment, scopes, networks, expires }: CreateKeyOptions) {
    const { id } = await organizations.choose(organization);
    const request = { name, environment, allowedNetworks: networks, expiresAt: parseExpiry(expires) };
    return revealed(await apiKeys.create(id, scopes ? { ...request, scopes } : request));
  }

  async function list(organization: string | undefined): Promise<KeyView[]> {
    const { id } = await organizations.choose(organization);
    return (await apiKeys.list(id)).map(view);
  }

  async function rotate(organization: string | undefined, keyId: string, overlapHours: number) {
    const { id } = await organizations.choose(organization);
    return revealed(await apiKeys.rotate(id, keyId, overlapHours));
  }

  async function revoke(organization: string | undefined, keyId: string, reason: string): Promise<KeyView> {
    const { id } = await organizations.choose(organization);
    return view(await apiKeys.revoke(id, keyId, reason));
  }

  return { create, list, rotate, revoke };
}

/** A well-formed key that is installed nowhere, to seed an installation with. */
export function generateKey(environment: string): string {
  const known = environments.find((each) => each === environment);
  if (!known)
    throw KeyRequestInvalid(undefined, { details: [`/environment: must be one of ${environments.join(", ")}`] });
  return newKeyText(known).text;
}

function revealed({ key, text }: RevealedKey): KeyView & { key: string } {
  return { ...view(key), key: text };
}

function view(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    prefix: key.maskedPrefix,
    status: keyStatus(key, new Date()),
    scopes: key.scopes,
    networks: key.allowedNetworks,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    replaced_by: key.replacedBy,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    revoked_reason: key.revokedReason,
  };
}

function parseExpiry(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  if (day !== undefined && !Number.isNaN(date.getTime()) && isOnCalendar(day)) return date;
  throw KeyRequestInvalid(undefined, {
    details: ["/expires: must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z"],
  });
}

/** A Date goes on into March for the 30th of February, and the key would outlast what was meant. */
function isOnCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
