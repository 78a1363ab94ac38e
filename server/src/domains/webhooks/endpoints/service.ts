import type { Clock } from "../../../platform/clock.ts";
import { IdempotencyInProgress } from "../../../platform/errors.ts";
import { type AtomicCall, findCompleted, recordCompleted } from "../../../platform/idempotency.ts";
import { newUuid, uuidFromId } from "../../../platform/ids.ts";
import { type Cursors, ListPage, type PageRequest } from "../../../platform/pages.ts";
import type { Database, Transaction } from "../../../platform/postgres/database.ts";
import type { Vault } from "../../../platform/postgres/vault.ts";
import type { Principal } from "../../api-keys/index.ts";
import { terminateDeliveries, updatePinned, wakeDeliveries } from "./pending-deliveries.ts";
import { type Endpoint, endpointsMax } from "./endpoint.ts";
import {
  countEndpointsForInsert,
  findEndpoint,
  findEndpointForUpdate,
  insertEndpoint,
  listEndpoints,
  notifyAttemptsRevoked,
  updateDeleted,
  updateEndpoint,
  updateSecretVersion,
} from "./store.ts";
import { EndpointLimitReached, EndpointNotFound, SecretNotShownAgain } from "./errors.ts";
import { endpointRecord } from "./record.ts";
import type {
  CreateEndpoint,
  DeletedEndpoint,
  EndpointRecord,
  RevealedEndpoint,
  RotateSecret,
  UpdateEndpoint,
} from "./schema.ts";
import { newSecret, secretContext } from "./secret.ts";
import {
  deleteSecrets,
  deleteSecretsBefore,
  findSealedSecret,
  insertSecret,
  updateSuperseded,
} from "./secret-store.ts";
import { requirePublicTarget, requireTargetStillPublic, type TargetRule } from "./target.ts";

export type CreatedEndpoint = { endpoint: RevealedEndpoint; replayed: boolean };

type EndpointsDeps = TargetRule & { db: Database; vault: Vault; clock: Clock; cursors: Cursors };

export function createEndpoints({ db, vault, clock, cursors, ...rule }: EndpointsDeps) {
  /** Makes an endpoint. Whoever repeats the call with its key, because the answer was lost, sees the secret again. */
  async function create(
    { organizationId }: Principal,
    request: CreateEndpoint,
    key?: string,
  ): Promise<CreatedEndpoint> {
    const call = key === undefined ? undefined : { owner: organizationId, operation: "createEndpoint", key, request };
    const earlier = call && (await findCreated(organizationId, call));
    if (earlier) return earlier;
    await requirePublicTarget(rule, request.url);
    const createdAt = clock.now();
    const id = newUuid(createdAt);
    const endpoint = await db.transaction(async (tx) => {
      if (call && !(await recordCompleted(tx, call, { outcome: "created", data: id }))) return undefined;
      const count = await countEndpointsForInsert(tx, organizationId);
      if (count >= endpointsMax) throw EndpointLimitReached({ endpointsMax });

      const inserted = await insertEndpoint(tx, organizationId, {
        id,
        url: request.url,
        eventTypes: request.event_types,
        description: request.description ?? null,
        createdAt,
      });
      const secret = await addSecret(tx, id, inserted.secretVersion);
      return { ...endpointRecord(inserted), secret };
    });
    if (endpoint) return { endpoint, replayed: false };
    const twins = call && (await findCreated(organizationId, call));
    if (twins) return twins;
    throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 }); // its record went between the two statements
  }

  /** What an earlier twin of the call has made; a secret that was replaced since is not shown again. */
  async function findCreated(organizationId: string, call: AtomicCall): Promise<CreatedEndpoint | undefined> {
    const completed = await findCompleted<"created", string>(db, call);
    if (!completed) return undefined;
    const found = await findEndpoint(db, organizationId, completed.data);
    if (!found) throw EndpointNotFound({ endpointId: "of this Idempotency-Key" });
    const { id, secretVersion } = found;
    const sealed = secretVersion === 1 ? await findSealedSecret(db, id, secretVersion) : undefined;
    const endpoint = endpointRecord(found);
    if (!sealed) throw SecretNotShownAgain({ endpointId: endpoint.id });
    const secret = await vault.open(sealed, secretContext(id, secretVersion));
    return { endpoint: { ...endpoint, secret }, replayed: true };
  }

  async function list({ organizationId }: Principal, page: PageRequest): Promise<ListPage<EndpointRecord>> {
    const name = `webhook-endpoints/${organizationId}`;
    const after = cursors.positionBefore(name, page);
    const found = await listEndpoints(db, organizationId, after, page.limit + 1);
    const { items, nextCursor } = cursors.page(name, found, page.limit, ({ id }) => id);
    return new ListPage(items.map(endpointRecord), nextCursor);
  }

  async function get(principal: Principal, endpointId: string): Promise<EndpointRecord> {
    const endpoint = await findEndpoint(db, principal.organizationId, endpointUuid(endpointId));
    if (!endpoint) throw EndpointNotFound({ endpointId });
    return endpointRecord(endpoint);
  }

  /** Changes an endpoint. Activating it sends what has been waiting, unless its schedule has passed meanwhile. */
  async function update(principal: Principal, endpointId: string, request: UpdateEndpoint): Promise<EndpointRecord> {
    const { organizationId } = principal;
    const uuid = endpointUuid(endpointId);
    const known = await findEndpoint(db, organizationId, uuid);
    if (!known) throw EndpointNotFound({ endpointId });
    await requireTarget(known, request);

    return db.transaction(async (tx) => {
      const now = clock.now();
      const before = await lock(tx, organizationId, endpointId);
      const status = request.status ?? before.status;
      const after = await updateEndpoint(tx, organizationId, uuid, {
        url: request.url ?? before.url,
        eventTypes: request.event_types ?? before.eventTypes,
        description: request.description === undefined ? before.description : request.description,
        status,
        statusReason: status === "disabled" ? before.statusReason : null,
        updatedAt: now,
      });
      if (status === "active" && before.status !== "active") await wakeDeliveries(tx, organizationId, uuid, now);
      return endpointRecord(after);
    });
  }

  /** Checks the target that a change leaves the endpoint with, when it gives a new one or activates it. */
  async function requireTarget(known: Endpoint, { url, status }: UpdateEndpoint): Promise<void> {
    if (url !== undefined) await requirePublicTarget(rule, url);
    else if (status === "active") await requireTargetStillPublic({ db, clock, ...rule }, known);
  }

  /** Deletes an endpoint, its secrets and what was still to be sent to it. */
  async function remove(principal: Principal, endpointId: string): Promise<DeletedEndpoint> {
    const { organizationId } = principal;
    return db.transaction(async (tx) => {
      const { id } = await lock(tx, organizationId, endpointId);
      const now = clock.now();
      await updateDeleted(tx, organizationId, id, now);
      await deleteSecrets(tx, id);
      await terminateDeliveries(tx, organizationId, id, now);
      await notifyAttemptsRevoked(tx, id);
      return { id: endpointId, deleted: true };
    });
  }

  /**
   * Makes a new secret version. A normal rotation leaves the old one to the deliveries pinned to it;
   * after a compromise every older one is gone at once, and what is undelivered goes out under the new.
   */
  async function rotateSecret(
    principal: Principal,
    endpointId: string,
    { mode }: RotateSecret,
  ): Promise<RevealedEndpoint> {
    const { organizationId } = principal;
    return db.transaction(async (tx) => {
      const { id, secretVersion } = await lock(tx, organizationId, endpointId);
      const now = clock.now();
      const version = secretVersion + 1;
      const secret = await addSecret(tx, id, version);
      const endpoint = await updateSecretVersion(tx, organizationId, id, { version, updatedAt: now });
      if (mode === "normal") {
        await updateSuperseded(tx, id, secretVersion, now);
      } else {
        await deleteSecretsBefore(tx, id, version);
        await updatePinned(tx, organizationId, id, version);
        await notifyAttemptsRevoked(tx, id);
      }
      return { ...endpointRecord(endpoint), secret };
    });
  }

  async function addSecret(tx: Transaction, endpointId: string, version: number): Promise<string> {
    const secret = newSecret();
    const sealed = await vault.seal(tx, secret, secretContext(endpointId, version));
    await insertSecret(tx, endpointId, { version, sealed, createdAt: clock.now() });
    return secret;
  }

  return { create, list, get, update, remove, rotateSecret };
}

export type Endpoints = ReturnType<typeof createEndpoints>;

async function lock(tx: Transaction, organizationId: string, endpointId: string): Promise<Endpoint> {
  const endpoint = await findEndpointForUpdate(tx, organizationId, endpointUuid(endpointId));
  if (!endpoint) throw EndpointNotFound({ endpointId });
  return endpoint;
}

/** The UUID behind an id; a text that is none names no endpoint, like an id nobody has. */
export function endpointUuid(endpointId: string): string {
  const uuid = uuidFromId("whe", endpointId);
  if (uuid === undefined) throw EndpointNotFound({ endpointId: shortened(endpointId) });
  return uuid;
}

function shortened(text: string): string {
  return text.length > 64 ? `${text.slice(0, 64)}…` : text;
}
