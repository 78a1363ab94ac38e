import type { Clock } from "../../platform/clock.ts";
import { withDeadline } from "../../platform/deadline.ts";
import { idFromUuid } from "../../platform/ids.ts";
import type { Log } from "../../platform/log.ts";
import { createNetworkCheck } from "../../platform/net/networks.ts";
import type { Queryable } from "../../platform/postgres/database.ts";
import type { Notifications } from "../../platform/postgres/notifications.ts";
import { parseKeyText, type Principal, publicPartIn } from "./api-key.ts";
import { createKeyProof, type KeyProof } from "./key-proof.ts";
import { findVerifiableKey, keysChangedChannel, updateLastUses } from "./store.ts";

/** What a presented key proved: who is asking, and from where they may. */
export type VerifiedKey = {
  principal: Principal;
  allowsNetwork(address: string): boolean;
};

type VerifierDeps = {
  db: Queryable;
  notifications: Notifications;
  pepper: string;
  clock: Clock;
  log: Log;
};

// Revocation must hold everywhere within a second. The message clears the cache at once; this
// bounds what happens when the message is lost, or crosses a read that began before it.
const cacheMs = 500;
const cacheEntriesMax = 10_000;
const lastUseFlushMs = 5_000;

// Every request waits for its key, so this also bounds how long a request waits for a database that hangs.
const readDeadline = {
  signal: new AbortController().signal,
  deadlineMs: 4_000,
  timeout: () => new Error("timeout exceeded while an API key was read"),
};

type CachedKey = {
  proof: KeyProof;
  expiresAt: Date | null;
  verified: VerifiedKey;
  keyUuid: string;
};
type CacheEntry = {
  readAt: number;
  key: Promise<CachedKey | undefined>;
  /** Set once the promise resolved. */
  isRead: boolean;
  read: CachedKey | undefined;
};

export function createKeyVerifier({ db, notifications, pepper, clock, log }: VerifierDeps) {
  const cache = new Map<string, CacheEntry>();
  let lastUses = new Map<string, Date>();

  notifications.on(keysChangedChannel, (publicPart) => {
    if (publicPart) cache.delete(publicPart);
    else cache.clear();
  });
  const timer = setInterval(() => void flushLastUses(), lastUseFlushMs);
  timer.unref();

  /**
   * Undefined for a key that is malformed, unknown, expired or revoked. A key in the cache, which is that of almost
   * every request, needs no promise: awaiting them took a third of the 3.5 µs of an authorization.
   */
  function verify(presented: string): VerifiedKey | undefined | Promise<VerifiedKey | undefined> {
    // A key that is recognized has been parsed before, which takes 4 µs.
    const known = findFresh(publicPartIn(presented), clock.now().getTime())?.read;
    if (known?.proof.recognizes(presented)) return admit(known);

    const text = parseKeyText(presented);
    if (!text) return undefined;
    const entry = read(text.publicPart);
    if (entry.isRead) return check(entry.read, presented);
    return entry.key.then((key) => check(key, presented));
  }

  function check(key: CachedKey | undefined, presented: string): VerifiedKey | undefined {
    return key?.proof.proves(presented) ? admit(key) : undefined;
  }

  /** A key that proved itself counts until it expires. */
  function admit(key: CachedKey): VerifiedKey | undefined {
    const now = clock.now();
    if (key.expiresAt && key.expiresAt <= now) return undefined;

    lastUses.set(key.keyUuid, now);
    return key.verified;
  }

  /** Callers that come at once share one read; unknown keys are remembered like known ones. */
  function read(publicPart: string): CacheEntry {
    const now = clock.now().getTime();
    const known = findFresh(publicPart, now);
    if (known) return known;

    const entry: CacheEntry = { readAt: now, key: load(publicPart), isRead: false, read: undefined };
    void completeEntry(publicPart, entry);
    cache.delete(publicPart);
    cache.set(publicPart, entry);
    if (cache.size > cacheEntriesMax) {
      const [oldest] = cache.keys();
      if (oldest !== undefined) cache.delete(oldest);
    }
    return entry;
  }

  function findFresh(publicPart: string, now: number): CacheEntry | undefined {
    const known = cache.get(publicPart);
    // A clock that was set back makes an entry look young for ever; its age is then negative.
    return known && now >= known.readAt && now - known.readAt < cacheMs ? known : undefined;
  }

  /** A read that failed is not remembered. */
  async function completeEntry(publicPart: string, entry: CacheEntry): Promise<void> {
    try {
      entry.read = await entry.key;
      entry.isRead = true;
    } catch {
      if (cache.get(publicPart) === entry) cache.delete(publicPart);
    }
  }

  async function load(publicPart: string): Promise<CachedKey | undefined> {
    const row = await withDeadline(() => findVerifiableKey(db, publicPart), readDeadline);
    if (!row || row.revokedAt) return undefined;
    return {
      proof: createKeyProof(row.hash, pepper),
      expiresAt: row.expiresAt,
      keyUuid: row.id,
      verified: {
        principal: {
          organizationId: row.organizationId,
          keyId: idFromUuid("key", row.id),
          environment: row.environment,
          scopes: new Set(row.scopes),
          entitled: row.entitlement === "active",
        },
        allowsNetwork: row.allowedNetworks.length === 0 ? () => true : createNetworkCheck(row.allowedNetworks),
      },
    };
  }

  async function flushLastUses() {
    if (lastUses.size === 0) return;
    const uses = lastUses;
    lastUses = new Map();
    try {
      await updateLastUses(db, uses);
    } catch (error) {
      log.warn({ keys: uses.size, error: (error as Error).message }, "api_keys.last_use_lost");
    }
  }

  async function stop() {
    clearInterval(timer);
    await flushLastUses();
  }

  return { verify, stop };
}

export type KeyVerifier = ReturnType<typeof createKeyVerifier>;
