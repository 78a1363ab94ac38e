import type { Queryable } from "../../../platform/postgres/database.ts";
import { createLeases } from "../../../platform/postgres/leases.ts";
import { sql } from "../../../platform/postgres/sql.ts";
import type { Attempt, DeliveryStatus } from "../deliveries/delivery.ts";
import { deliveriesDueChannel } from "../events/channels.ts";

/** A leased delivery with everything an attempt needs. */
export type ClaimedDelivery = {
  uuid: string;
  organizationId: string;
  endpointId: string;
  url: string;
  /** Whether a success has failures to clear. */
  endpointHasFailures: boolean;
  sequence: number;
  body: string;
  traceparent: string | null;
  secretVersion: number;
  sealedSecret: Buffer | null;
  status: DeliveryStatus;
  attempt: number;
  attemptsMade: number;
  resend: boolean;
  scheduledAt: Date | null;
  ownFaults: number;
  scheduleEndsAt: Date;
  finishedAt: Date | null;
  leaseToken: number;
};

export type ClaimRequest = {
  now: Date;
  leaseMs: number;
  /** How many deliveries at most, and how many of one endpoint. */
  batch: number;
  perEndpoint: number;
  /** Endpoints with another limit than `perEndpoint`. */
  rooms: ReadonlyMap<string, number>;
};

/**
 * Leases due deliveries of every organization. It goes from endpoint to endpoint and takes no more of
 * each than there is room for: the cost grows with the number of endpoints that have something
 * pending, not with the length of their queues. A first attempt waits while an earlier event of its
 * resource has had none.
 *
 * Leases run on the database's clock, because processes whose clocks differ compare them.
 */
export async function claimDeliveries(db: Queryable, { now, leaseMs, batch, perEndpoint, rooms }: ClaimRequest) {
  const { rows } = await db.query<ClaimedDelivery>(sql`
    with recursive queues as (
      (
        select endpoint_id
        from webhook_deliveries
        where run_at is not null
        order by endpoint_id
        limit 1
      )
      union all
      select (
        select deliveries.endpoint_id
        from webhook_deliveries as deliveries
        where deliveries.run_at is not null
          and deliveries.endpoint_id > queues.endpoint_id
        order by deliveries.endpoint_id
        limit 1
      )
      from queues
      where queues.endpoint_id is not null
    ), due as (
      select waiting.id, waiting.endpoint_id, waiting.secret_version
      from queues
      join webhook_endpoints as endpoints on endpoints.id = queues.endpoint_id
      left join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[]) as rooms (endpoint_id, room)
        on rooms.endpoint_id = endpoints.id
      cross join lateral (
        select deliveries.id, deliveries.endpoint_id, deliveries.secret_version, deliveries.run_at
        from webhook_deliveries as deliveries
        where deliveries.endpoint_id = endpoints.id
          and deliveries.run_at is not null
          and deliveries.run_at <= ${now}
          and (deliveries.lease_until is null or deliveries.lease_until <= now())
          and not (
            deliveries.attempt = 0
            and deliveries.status = 'pending'
            and exists (
              select 1
              from webhook_deliveries as earlier
              where earlier.endpoint_id = deliveries.endpoint_id
                and earlier.resource_id = deliveries.resource_id
                and earlier.sequence < deliveries.sequence
                and earlier.attempt = 0
                and earlier.status = 'pending'
            )
          )
        order by deliveries.run_at
        limit greatest(coalesce(rooms.room, ${perEndpoint}), 0)
        for update skip locked
      ) as waiting
      where endpoints.status = 'active'
      order by waiting.run_at
      limit ${batch}
    )
    update webhook_deliveries as deliveries
    set lease_until = now() + ${leaseMs} * interval '1 millisecond', lease_token = deliveries.lease_token + 1
    from due
    join webhook_events as events on events.id = due.id
    join webhook_endpoints as endpoints on endpoints.id = due.endpoint_id
    left join webhook_secrets as secrets
      on secrets.endpoint_id = due.endpoint_id and secrets.version = due.secret_version
    where deliveries.id = due.id
    returning deliveries.id as "uuid", deliveries.organization_id as "organizationId",
      deliveries.endpoint_id as "endpointId", endpoints.url,
      endpoints.terminal_failures > 0 or endpoints.warned_at is not null as "endpointHasFailures",
      deliveries.sequence, events.body, events.traceparent,
      deliveries.secret_version as "secretVersion", secrets.sealed as "sealedSecret", deliveries.status,
      deliveries.attempt, deliveries.attempts_made as "attemptsMade", deliveries.resend,
      deliveries.scheduled_at as "scheduledAt", deliveries.own_faults as "ownFaults",
      deliveries.schedule_ends_at as "scheduleEndsAt", deliveries.finished_at as "finishedAt",
      deliveries.lease_token as "leaseToken"
  `);
  return rows;
}

export const { renew: renewLeases } = createLeases({
  table: sql`webhook_deliveries`,
  isHeld: sql`webhook_deliveries.lease_until is not null`,
  wakeChannel: deliveriesDueChannel,
});

/** The new state of a delivery after an attempt, or after one that a fault of our own prevented. */
export type DeliveryUpdate = {
  id: string;
  leaseToken: number;
  status: DeliveryStatus;
  attempt: number;
  runAt: Date | null;
  ownFaults: number;
  scheduleEndsAt: Date;
  finishedAt: Date | null;
  newAttempt: NewAttempt | undefined;
};

export type NewAttempt = Omit<Attempt, "deliveryId"> & { position: number };

/** Writes many outcomes in one statement; resolves to the deliveries whose lease still held. */
export async function updateAttempted(db: Queryable, updates: readonly DeliveryUpdate[]): Promise<Set<string>> {
  const attempts = updates.map(({ newAttempt }) => newAttempt);
  const { rows } = await db.query<{ id: string }>(sql`
    with written as (
      update webhook_deliveries as deliveries
      set status = outcomes.status, attempt = outcomes.attempt,
        attempts_made = coalesce(outcomes.position, deliveries.attempts_made), run_at = outcomes.run_at,
        lease_until = null, resend = deliveries.resend and outcomes.position is null and outcomes.run_at is not null,
        scheduled_at = case when outcomes.position is null then deliveries.scheduled_at end,
        own_faults = outcomes.own_faults,
        schedule_ends_at = outcomes.schedule_ends_at, finished_at = outcomes.finished_at
      from unnest(
        ${updates.map(({ id }) => id)}::uuid[],
        ${updates.map(({ leaseToken }) => leaseToken)}::bigint[],
        ${updates.map(({ status }) => status)}::text[],
        ${updates.map(({ attempt }) => attempt)}::smallint[],
        ${updates.map(({ runAt }) => runAt)}::timestamptz[],
        ${updates.map(({ ownFaults }) => ownFaults)}::integer[],
        ${updates.map(({ scheduleEndsAt }) => scheduleEndsAt)}::timestamptz[],
        ${updates.map(({ finishedAt }) => finishedAt)}::timestamptz[],
        ${attempts.map((attempt) => attempt?.position ?? null)}::integer[]
      ) as outcomes (id, lease_token, status, attempt, run_at, own_faults, schedule_ends_at, finished_at, position)
      where deliveries.id = outcomes.id
        and deliveries.lease_token = outcomes.lease_token
        and deliveries.lease_until is not null
      returning deliveries.id
    ), recorded as (
      insert into webhook_attempts
        (delivery_id, position, number, resend, secret_version, started_at, latency_ms, http_status, error, response)
      select attempts.delivery_id, attempts.position, attempts.number, attempts.resend, attempts.secret_version,
        attempts.started_at, attempts.latency_ms, attempts.http_status, attempts.error, attempts.response
      from unnest(
        ${updates.map(({ id }) => id)}::uuid[],
        ${attempts.map((attempt) => attempt?.position ?? null)}::integer[],
        ${attempts.map((attempt) => attempt?.number ?? null)}::smallint[],
        ${attempts.map((attempt) => attempt?.resend ?? null)}::boolean[],
        ${attempts.map((attempt) => attempt?.secretVersion ?? null)}::integer[],
        ${attempts.map((attempt) => attempt?.startedAt ?? null)}::timestamptz[],
        ${attempts.map((attempt) => attempt?.latencyMs ?? null)}::integer[],
        ${attempts.map((attempt) => attempt?.httpStatus ?? null)}::smallint[],
        ${attempts.map((attempt) => attempt?.error ?? null)}::text[],
        ${attempts.map((attempt) => attempt?.response ?? null)}::text[]
      ) as attempts
        (delivery_id, position, number, resend, secret_version, started_at, latency_ms, http_status, error, response)
      join written on written.id = attempts.delivery_id
      where attempts.position is not null
    )
    select id
    from written
  `);
  return new Set(rows.map(({ id }) => id));
}
