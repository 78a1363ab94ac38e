import type { Clock } from "../../platform/clock.ts";
import { IdempotencyInProgress } from "../../platform/errors.ts";
import { type AtomicCall, claimCompleted, findCompleted } from "../../platform/idempotency.ts";
import { idFromUuid, newUuid } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { RequestTrace } from "../../platform/traceparent.ts";
import { isOwn } from "../../sources/lanes.ts";
import type { SourceSelection } from "../../sources/selection.ts";
import type { Source } from "../../sources/source.ts";
import { LiveKeyRequired, type Principal } from "../api-keys/index.ts";
import type { TestQuota } from "../billing/index.ts";
import { effectiveParams, rehearseError } from "../search/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import type { AreaReader } from "./area/area-reader.ts";
import { locate, pickSource } from "./area/look-up.ts";
import type { PreparedArea, ReadArea } from "./area/prepared-area.ts";
import { requireOneWay } from "./area/read-area.ts";
import type { Collection as Noun, Params } from "./collection.ts";
import { CollectingUnavailable, CollectionEndpointUnknown, CollectionNotFound } from "./errors.ts";
import { type Collection, type CreateCollection, toResource } from "./schema.ts";
import { insertSimulated, type SimulatedDraft, simulatedPlace } from "./simulation.ts";
import { findCollection, insertCells, insertCollection, type NewCollection } from "./store.ts";
import { cellLeases, growCollection } from "./queue/store.ts";

export type CreateDeps = {
  db: Database;
  clock: Clock;
  webhooks: Pick<Webhooks, "emit" | "canBind">;
  testQuota: TestQuota;
  fixtures: Source;
  sources: SourceSelection;
  areas: Pick<AreaReader, "read" | "prepare">;
};

export type CreateContext = RequestTrace & { idempotencyKey: string };

/** *accepted*: workers collect. *simulated*: the collection of a test key, which has ended. */
type OutcomeName = "accepted" | "simulated";
export type CreateOutcome = { outcome: OutcomeName; collection: Collection; replayed: boolean };

type Placed = { source: Source; prepared: PreparedArea };

/** The verb that creates a collection together with its first cells and the record of its idempotency key. */
export function makeCreate({ db, clock, webhooks, testQuota, fixtures, sources, areas }: CreateDeps) {
  return async function create(
    principal: Principal,
    request: CreateCollection,
    { idempotencyKey, requestId, traceparent }: CreateContext,
  ): Promise<CreateOutcome> {
    const isTest = principal.environment === "test";
    if (isTest) rehearseError(request.q, "/q");
    requireOneWay(request.area);
    if (request.webhook_endpoint_id !== undefined && isTest) throw LiveKeyRequired();
    const call: AtomicCall = {
      owner: `${principal.organizationId}/${principal.environment}`,
      operation: "createCollection",
      key: idempotencyKey,
      request,
    };
    // Before anything that may have changed since: a twin gets its collection whatever became of the rest.
    const earlier = await replay(principal, call);
    if (earlier) return earlier;

    const webhookEndpointId = await endpointOf(principal, request);
    const read = await areas.read(principal, request);
    const { areaText, fingerprint } = read;
    const placed = isTest ? await simulatedPlaceOf(request, read) : await placeOf(principal, request, read);
    const draft: NewCollection = {
      uuid: newUuid(clock.now()),
      params: paramsOf(request),
      areaText,
      prepared: placed.prepared,
      isLocal: isOwn(placed.source),
      status: isTest ? "running" : "queued",
      maxUnits: request.max_units,
      requestId,
      traceparent,
      createdBy: principal.keyId,
      webhookEndpointId,
    };
    const known = { ...call, fingerprint };
    const inserted = await (isTest
      ? simulate(principal, known, { ...draft, place: read.place })
      : accept(principal, known, draft));
    if (!inserted) return requireReplay(principal, known);
    if (!isTest) await cellLeases.wake(db).catch(() => undefined); // a lost message costs a poll
    const collection = toResource({ ...inserted, areaText });
    return { outcome: isTest ? "simulated" : "accepted", collection, replayed: false };
  };

  /** Where a live key's area lies, and the source to collect it from. */
  async function placeOf(principal: Principal, request: CreateCollection, read: ReadArea): Promise<Placed> {
    const source = await pickSource(sources, paramsOf(request), read);
    if (!source) throw CollectingUnavailable();
    const prepared = read.drawn ?? (await areas.prepare(principal, await locate(source, read.place, request)));
    return { source, prepared };
  }

  async function simulatedPlaceOf(request: CreateCollection, { place, drawn }: ReadArea): Promise<Placed> {
    return { source: fixtures, prepared: drawn ?? (await simulatedPlace(fixtures, place, request)) };
  }

  async function accept(principal: Principal, call: AtomicCall, draft: NewCollection): Promise<Noun | undefined> {
    const { bounds } = draft.prepared;
    return db.transaction(async (tx) => {
      const claim = claimCompleted(call, { outcome: "accepted", data: draft.uuid });
      const collection = await insertCollection(tx, principal, draft, claim);
      if (!collection) return undefined;
      const first = { depth: 0, state: "pending", pages: 0, found: 0 } as const;
      await insertCells(
        tx,
        principal,
        draft.uuid,
        bounds.map((box) => ({ ...first, box })),
      );
      const none = { units: 0, pages: 0, results: 0, cellsDone: 0, cellsShort: 0, errorCode: null, queryReading: null };
      return growCollection(tx, collection, { ...none, cellsTotal: bounds.length });
    });
  }

  function simulate(principal: Principal, call: AtomicCall, draft: SimulatedDraft): Promise<Noun | undefined> {
    const claim = claimCompleted(call, { outcome: "simulated", data: draft.uuid });
    return insertSimulated({ db, webhooks, testQuota, fixtures }, principal, draft, claim);
  }

  async function endpointOf(
    { organizationId }: Principal,
    { webhook_endpoint_id: wanted }: CreateCollection,
  ): Promise<string | null> {
    if (wanted === undefined) return null;
    const uuid = await webhooks.canBind(db, organizationId, wanted);
    if (uuid !== undefined) return uuid;
    throw CollectionEndpointUnknown(undefined, {
      details: ["/webhook_endpoint_id: must be a webhook endpoint of the organization"],
    });
  }

  async function replay(principal: Principal, call: AtomicCall): Promise<CreateOutcome | undefined> {
    const completed = await findCompleted<OutcomeName, string>(db, call);
    if (!completed) return undefined;
    const found = await findCollection(db, principal, completed.data);
    if (!found) throw CollectionNotFound({ collectionId: idFromUuid("col", completed.data) });
    return { outcome: completed.outcome, collection: toResource(found), replayed: true };
  }

  async function requireReplay(principal: Principal, call: AtomicCall): Promise<CreateOutcome> {
    const earlier = await replay(principal, call);
    if (earlier) return earlier;
    throw IdempotencyInProgress(undefined, { retryAfterSeconds: 1 }); // its record went between the two statements
  }
}

export function paramsOf({ q, hl, gl, extra }: Omit<CreateCollection, "area" | "max_units">): Params {
  const {
    page: _,
    ll: __,
    ...params
  } = effectiveParams({
    q,
    ...(hl === undefined ? {} : { hl }),
    ...(gl === undefined ? {} : { gl }),
    ...(extra === undefined ? {} : { extra }),
  });
  return params;
}
