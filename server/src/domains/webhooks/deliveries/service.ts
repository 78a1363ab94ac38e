import type { Clock } from "../../../platform/clock.ts";
import { type Cursors, ListPage, type PageRequest } from "../../../platform/pages.ts";
import { idFromUuid, uuidFromId } from "../../../platform/ids.ts";
import type { Database, Queryable } from "../../../platform/postgres/database.ts";
import type { RequestTrace } from "../../../platform/traceparent.ts";
import type { Principal } from "../../api-keys/index.ts";
import type { Attempt, Delivery } from "./delivery.ts";
import { findDelivery, listAttempts, listDeliveries, updateResend } from "./store.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { findEndpoint, findEndpointForUpdate } from "../endpoints/store.ts";
import { endpointUuid } from "../endpoints/service.ts";
import { EndpointNotActive, EndpointNotFound } from "../endpoints/errors.ts";
import { AttemptRunning, DeliveryNotFound } from "./errors.ts";
import type { AnyEvent } from "../events/event.ts";
import { testEventType } from "../events/event-types.ts";
import { enqueueEvents } from "./enqueue.ts";
import { deliveryRecord } from "./record.ts";
import type { DeliveryRecord } from "./schema.ts";
import { hasSecret } from "../endpoints/secret-store.ts";
import { requireTargetStillPublic, type TargetRule } from "../endpoints/target.ts";

type DeliveriesDeps = TargetRule & { db: Database; clock: Clock; cursors: Cursors };

export function createDeliveries({ db, clock, cursors, ...rule }: DeliveriesDeps) {
  async function list(principal: Principal, endpointId: string, page: PageRequest): Promise<ListPage<DeliveryRecord>> {
    const { organizationId } = principal;
    const endpoint = await findEndpoint(db, organizationId, endpointUuid(endpointId));
    if (!endpoint) throw EndpointNotFound({ endpointId });
    const name = `webhook-deliveries/${endpointId}`;
    const after = cursors.positionBefore(name, page);
    const found = await listDeliveries(db, organizationId, endpoint.id, after, page.limit + 1);
    const { items, nextCursor } = cursors.page(name, found, page.limit, ({ id }) => id);
    return new ListPage(await withAttempts(db, organizationId, items), nextCursor);
  }

  /** Sends a webhook.test event the way every event goes. */
  async function sendTest(principal: Principal, endpointId: string, trace: RequestTrace): Promise<DeliveryRecord> {
    const { organizationId } = principal;
    const uuid = endpointUuid(endpointId);
    const known = requireActive(endpointId, await findEndpoint(db, organizationId, uuid));
    await requireTargetStillPublic({ db, clock, ...rule }, known);

    return db.transaction(async (tx) => {
      const endpoint = requireActive(endpointId, await findEndpointForUpdate(tx, organizationId, uuid));
      const event: AnyEvent = {
        organizationId,
        type: testEventType,
        resource: { type: "webhook_endpoint", id: endpoint.id },
        ...trace,
        endpointId: endpoint.id,
        data: { endpoint_id: endpointId },
      };
      const [deliveryId = ""] = (await enqueueEvents(tx, clock.now(), [event])).map(({ id }) => id);
      return readDelivery(tx, organizationId, deliveryId);
    });
  }

  /** Makes one more attempt now, whatever became of the others. The schedule goes on beside it. */
  async function resend(principal: Principal, deliveryId: string): Promise<DeliveryRecord> {
    const { organizationId } = principal;
    const uuid = uuidFromId("dlv", deliveryId);
    const known = uuid === undefined ? undefined : await findDelivery(db, organizationId, uuid);
    if (!known) throw DeliveryNotFound({ deliveryId });

    return db.transaction(async (tx) => {
      const endpoint = await findEndpointForUpdate(tx, organizationId, known.endpointId);
      if (!endpoint) throw DeliveryNotFound({ deliveryId });
      requireActive(idFromUuid("whe", endpoint.id), endpoint);
      const isPinnedAlive = await hasSecret(tx, endpoint.id, known.secretVersion);
      const secretVersion = isPinnedAlive ? known.secretVersion : endpoint.secretVersion;
      const accepted = await updateResend(tx, organizationId, known.id, { secretVersion, now: clock.now() });
      if (!accepted) throw AttemptRunning({ deliveryId });
      return readDelivery(tx, organizationId, known.id);
    });
  }

  return { list, sendTest, resend };
}

export type Deliveries = ReturnType<typeof createDeliveries>;

function requireActive(endpointId: string, endpoint: Endpoint | undefined): Endpoint {
  if (!endpoint) throw EndpointNotFound({ endpointId });
  if (endpoint.status !== "active") throw EndpointNotActive({ endpointId, status: endpoint.status });
  return endpoint;
}

async function readDelivery(db: Queryable, organizationId: string, deliveryId: string): Promise<DeliveryRecord> {
  const delivery = await findDelivery(db, organizationId, deliveryId);
  if (!delivery) throw new Error(`delivery ${deliveryId} vanished in the transaction that has it`);
  const [record] = await withAttempts(db, organizationId, [delivery]);
  if (!record) throw new Error("one delivery gave no record");
  return record;
}

async function withAttempts(
  db: Queryable,
  organizationId: string,
  deliveries: readonly Delivery[],
): Promise<DeliveryRecord[]> {
  const attempts = new Map<string, Attempt[]>(deliveries.map(({ id }) => [id, []]));
  for (const attempt of await listAttempts(db, organizationId, [...attempts.keys()])) {
    attempts.get(attempt.deliveryId)?.push(attempt);
  }
  return deliveries.map((delivery) => deliveryRecord(delivery, attempts.get(delivery.id) ?? []));
}
