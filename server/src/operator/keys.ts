import {
  type ApiKey,
  type ApiKeys,
  environments,
  KeyAmbiguous,
  KeyNotFound,
  KeyRequestInvalid,
  keyStatus,
  newKeyText,
  type RevealedKey,
} from "../domains/api-keys/index.ts";
import type { Organization, Organizations } from "../domains/organizations/index.ts";

/** A key as an operator is shown it. */
export type KeyView = {
  id: string;
  name: string;
  organization: string;
  organization_id: string;
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

type OwnedKey = { owner: Organization; key: ApiKey };

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
    const owner = await organizations.choose(organization);
    const request = { name, environment, allowedNetworks: networks, expiresAt: parseExpiry(expires) };
    return revealed(owner, await apiKeys.create(owner.id, scopes ? { ...request, scopes } : request));
  }

  /** Of one organization, or of all. */
  async function list(organization: string | undefined): Promise<KeyView[]> {
    return (await listOwned(organization)).map(({ owner, key }) => view(owner, key));
  }

  async function rotate(organization: string | undefined, named: string, overlapHours: number) {
    const { owner, key } = await choose(organization, named);
    return revealed(owner, await apiKeys.rotate(owner.id, key.id, overlapHours));
  }

  async function revoke(organization: string | undefined, named: string, reason: string): Promise<KeyView> {
    const { owner, key } = await choose(organization, named);
    return view(owner, await apiKeys.revoke(owner.id, key.id, reason));
  }

  async function listOwned(organization: string | undefined): Promise<OwnedKey[]> {
    const owners = organization === undefined ? await organizations.list() : [await organizations.choose(organization)];
    const owned = owners.map(async (owner) => (await apiKeys.list(owner.id)).map((key) => ({ owner, key })));
    return (await Promise.all(owned)).flat();
  }

  /** The key of this id, else the only one of this name that still works. */
  async function choose(organization: string | undefined, named: string): Promise<OwnedKey> {
    const all = await listOwned(organization);
    const known = all.find(({ key }) => key.id === named);
    if (known) return known;
    const called = all.filter(({ key }) => key.name === named);
    const working = called.filter(({ key }) => keyStatus(key, new Date()) === "active");
    const matching = working.length > 0 ? working : called;
    const [only, ...more] = matching;
    if (!only) throw KeyNotFound({ keyId: named });
    if (more.length > 0) throw KeyAmbiguous({ name: named, ids: matching.map(({ key }) => key.id) });
    return only;
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

function revealed(owner: Organization, { key, text }: RevealedKey): KeyView & { key: string } {
  return { ...view(owner, key), key: text };
}

function view(owner: Organization, key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    organization: owner.name,
    organization_id: owner.id,
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
