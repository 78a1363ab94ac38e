import { createHmac } from "node:crypto";
import type { Clock } from "../../platform/clock.ts";
import { IdempotencyKeyReused } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { characterCount, isStorable, storableRule } from "../../platform/text.ts";
import { parseNetwork } from "../../platform/net/networks.ts";
import type { Database, Queryable } from "../../platform/postgres/database.ts";
import {
  type ApiKey,
  type Environment,
  environments,
  keyStatus,
  type KeyText,
  keyTextFrom,
  nameLengthMax,
  networksMax,
  newKeyText,
  overlapHoursMax,
  reasonLength,
  type Scope,
  scopes as allScopes,
} from "./api-key.ts";
import { KeyNotActive, KeyNotFound, KeyNotShownAgain, KeyRequestInvalid } from "./errors.ts";
import {
  findKeyByHash,
  findKeyForUpdate,
  insertKey,
  listKeys,
  notifyKeyChanged,
  updateReplaced,
  updateRevoked,
} from "./store.ts";

export type CreateKey = {
  name: string;
  environment: string;
  scopes?: readonly string[];
  allowedNetworks?: readonly string[];
  expiresAt?: Date | null;
  /** A key that was made elsewhere; a random one otherwise. */
  text?: KeyText;
  /** Random; whoever repeats the call with it, because the answer was lost, sees the same key for a day. */
  idempotencyKey?: string | undefined;
};

/** A key with its text, which is shown once and kept nowhere. */
export type RevealedKey = { key: ApiKey; text: string };

const shownAgainMs = 24 * 3_600_000;

type ApiKeysDeps = { db: Database; pepper: string; clock: Clock };

export function createApiKeys({ db, pepper, clock }: ApiKeysDeps) {
  /** Makes a key. Pass a transaction to make it together with something else. */
  async function create(organizationId: string, request: CreateKey, within: Queryable = db): Promise<RevealedKey> {
    const { environment, scopes } = checkCreateKey(request, clock.now());
    return reveal(within, organizationId, {
      name: request.name,
      environment,
      scopes,
      allowedNetworks: request.allowedNetworks ?? [],
      expiresAt: request.expiresAt ?? null,
      text: request.text ?? textFor(environment, `create ${organizationId}`, request.idempotencyKey),
    });
  }

  async function list(organizationId: string): Promise<ApiKey[]> {
    return listKeys(db, organizationId);
  }

  /** Makes a replacement with the same rights, and lets the old key live on for the overlap. */
  async function rotate(
    organizationId: string,
    keyId: string,
    overlapHours = overlapHoursMax,
    idempotencyKey?: string,
  ): Promise<RevealedKey> {
    if (!(overlapHours >= 0 && overlapHours <= overlapHoursMax)) {
      throw KeyRequestInvalid(undefined, { details: [`/overlap: must be 0 to ${overlapHoursMax} hours`] });
    }
    return db.transaction(async (tx) => {
      const old = await findKeyForUpdate(tx, organizationId, keyId);
      if (!old) throw KeyNotFound({ keyId });
      const now = clock.now();
      const text = textFor(old.environment, `rotate ${old.id}`, idempotencyKey);
      const earlier = old.replacedBy === null ? undefined : await revealAgain(tx, organizationId, old.name, text);
      if (earlier) return earlier;
      const status = old.replacedBy ? "rotated already" : keyStatus(old, now);
      if (status !== "active") throw KeyNotActive({ keyId, status });

      const revealed = await reveal(tx, organizationId, { ...old, text });
      const overlapEnd = new Date(now.getTime() + overlapHours * 3_600_000);
      const expiresAt = old.expiresAt && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
      await updateReplaced(tx, organizationId, keyId, { replacedBy: revealed.key.id, expiresAt });
      await notifyKeyChanged(tx, old);
      return revealed;
    });
  }

  /** Disables a key for good, on every process within a second. Revoking again changes nothing. */
  async function revoke(organizationId: string, keyId: string, why: string): Promise<ApiKey> {
    const reason = why.trim(); // blanks say nothing, and do not count
    const length = characterCount(reason);
    const details: string[] = [];
    if (length < reasonLength.min || length > reasonLength.max) {
      details.push(
        `/reason: must have ${reasonLength.min} to ${reasonLength.max} characters without the blanks around them, and has ${length}`,
      );
    }
    if (!isStorable(reason)) details.push(`/reason: ${storableRule}`);
    if (details.length > 0) throw KeyRequestInvalid(undefined, { details });
    return db.transaction(async (tx) => {
      const revoked = await updateRevoked(tx, organizationId, keyId, reason, clock.now());
      if (!revoked) {
        const known = await findKeyForUpdate(tx, organizationId, keyId);
        if (!known) throw KeyNotFound({ keyId });
        return known;
      }
      await notifyKeyChanged(tx, revoked);
      return revoked;
    });
  }

  type Revealable = Pick<ApiKey, "name" | "environment" | "expiresAt"> & {
    scopes: readonly Scope[];
    allowedNetworks: readonly string[];
    text: KeyText;
  };

  async function reveal(
    within: Queryable,
    organizationId: string,
    { text, ...rest }: Revealable,
  ): Promise<RevealedKey> {
    const { name, environment, scopes, allowedNetworks, expiresAt } = rest;
    const key = await insertKey(within, organizationId, {
      id: newId("key", clock.now()),
      name,
      environment,
      scopes,
      allowedNetworks,
      expiresAt,
      publicPart: text.publicPart,
      hash: hashKey(pepper, text.text),
    });
    if (key) return { key, text: text.text };
    const earlier = await revealAgain(within, organizationId, name, text);
    if (!earlier) throw new Error("a new key has the public part of another one");
    return earlier;
  }

  /** The key that an earlier twin of the call has made, while it may be shown again. */
  async function revealAgain(within: Queryable, organizationId: string, name: string, { text, publicPart }: KeyText) {
    const key = await findKeyByHash(within, organizationId, publicPart, hashKey(pepper, text));
    if (!key) return undefined;
    if (key.name !== name) throw IdempotencyKeyReused();
    const now = clock.now();
    const isFresh = now.getTime() - key.createdAt.getTime() < shownAgainMs;
    if (!isFresh || keyStatus(key, now) !== "active") throw KeyNotShownAgain({ keyId: key.id });
    return { key, text };
  }

  /**
   * The text of a new key. That of a call which may be repeated comes from the pepper and the call's own random key, of
   * which the service keeps nothing: the same call has the same text, and nobody else can find it.
   */
  function textFor(environment: Environment, purpose: string, idempotencyKey: string | undefined): KeyText {
    if (idempotencyKey === undefined) return newKeyText(environment);
    const seed = createHmac("sha512", pepper).update(JSON.stringify(["key text", purpose, idempotencyKey]));
    return keyTextFrom(environment, seed.digest());
  }

  return { create, list, rotate, revoke };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;

export function hashKey(pepper: string, text: string): Buffer {
  return createHmac("sha256", pepper).update(text).digest();
}

function checkCreateKey(request: CreateKey, now: Date): { environment: Environment; scopes: Scope[] } {
  const details: string[] = [];
  if (request.name.trim() === "" || characterCount(request.name) > nameLengthMax) {
    details.push(`/name: must have 1 to ${nameLengthMax} characters, and not blanks alone`);
  }
  if (!isStorable(request.name)) details.push(`/name: ${storableRule}`);
  const environment = environments.find((known) => known === request.environment);
  if (!environment) details.push(`/environment: must be one of ${environments.join(", ")}`);
  if (environment && request.text && request.text.environment !== environment) {
    details.push(`/text: is a ${request.text.environment} key, not a ${environment} one`);
  }
  const requested = request.scopes ?? allScopes;
  const scopes = allScopes.filter((scope) => requested.includes(scope));
  const strangers = requested.filter((scope) => !allScopes.some((known) => known === scope));
  if (strangers.length > 0 || scopes.length === 0) {
    details.push(`/scopes: must be one or more of ${allScopes.join(", ")}`);
  }
  const networks = request.allowedNetworks ?? [];
  if (networks.length > networksMax) details.push(`/allowedNetworks: must have at most ${networksMax} items`);
  for (const network of networks) {
    if (!parseNetwork(network)) details.push(`/allowedNetworks: ${network} is not a CIDR block such as 192.0.2.0/24`);
  }
  if (request.expiresAt && !(request.expiresAt > now)) details.push("/expiresAt: must be a time in the future");
  if (details.length > 0 || !environment) throw KeyRequestInvalid(undefined, { details });
  return { environment, scopes };
}
