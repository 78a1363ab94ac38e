-- Where a customer receives webhooks. A deleted endpoint keeps its row while deliveries refer to it;
-- its secrets are deleted at once.
create table webhook_endpoints (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  url text not null,
  event_types text[] not null,
  description text,
  status text not null check (status in ('active', 'paused', 'disabled')),
  status_reason text check (status_reason in ('repeated_failures', 'non_public_target', 'gone')),
  -- Deliveries that failed for good, counted since the last success.
  terminal_failures integer not null default 0,
  warned_at timestamptz,
  secret_version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  check ((status = 'disabled') = (status_reason is not null))
);

create index webhook_endpoints_deleted on webhook_endpoints (deleted_at)
where deleted_at is not null;

create index webhook_endpoints_by_organization on webhook_endpoints (organization_id, id)
where deleted_at is null;

-- Each version of an endpoint's signing secret, sealed under the master key.
create table webhook_secrets (
  endpoint_id uuid not null references webhook_endpoints (id),
  version integer not null,
  sealed bytea not null,
  created_at timestamptz not null,
  -- When a newer version took its place; null for the current one.
  superseded_at timestamptz,
  primary key (endpoint_id, version)
);

create index webhook_secrets_superseded on webhook_secrets (superseded_at)
where superseded_at is not null;

-- What happened, written in the transaction in which it happened. The body is kept as the text that
-- is signed and sent. The organization is no foreign key: proving it locked the organization's row in
-- every transaction with an event; it comes from the row of the resource.
create table webhook_events (
  id uuid primary key,
  organization_id uuid not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  sequence integer not null,
  body text not null check (octet_length(body) <= 16384),
  -- Whether it went to an endpoint. One that did not is kept for an hour, for event streams.
  has_delivery boolean not null default true,
  created_at timestamptz not null,
  unique (resource_id, sequence)
);

-- Every event is in one of these two, so that deleting the unbound ones does not read all others.
create index webhook_events_by_age on webhook_events (created_at)
where has_delivery;

create index webhook_events_unbound on webhook_events (created_at)
where not has_delivery;

-- An event on its way to the endpoint it is bound to; it has the event's id. The rows with a run_at
-- are the dispatcher's queue.
create table webhook_deliveries (
  id uuid primary key references webhook_events (id),
  organization_id uuid not null references organizations (id),
  endpoint_id uuid not null references webhook_endpoints (id),
  resource_id uuid not null,
  sequence integer not null,
  secret_version integer not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'terminated')),
  -- Attempts used up, of seven.
  attempt smallint not null default 0,
  -- Every attempt made, resends included.
  attempts_made integer not null default 0,
  run_at timestamptz,
  -- Set while a dispatcher holds the delivery. In no index, so that claiming changes none.
  lease_until timestamptz,
  lease_token bigint not null default 0,
  -- Set while the next attempt is a resend: it is outside the schedule, which goes on at scheduled_at
  -- afterwards if it had not ended.
  resend boolean not null default false,
  scheduled_at timestamptz,
  -- How often in a row we could not even try.
  own_faults integer not null default 0,
  schedule_ends_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check (status <> 'pending' or run_at is not null),
  check ((status = 'pending') = (finished_at is null))
)
with (fillfactor = 75);

-- Finished deliveries are in neither of these two, so that their number costs the dispatcher nothing.
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, run_at)
where run_at is not null;

create index webhook_deliveries_unsent on webhook_deliveries (endpoint_id, resource_id, sequence)
where attempt = 0 and status = 'pending';

create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id);

create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  -- Counts every attempt of the delivery, resends included.
  position integer not null,
  -- What X-SVC-Delivery-Attempt said.
  number smallint not null check (number between 1 and 7),
  resend boolean not null,
  secret_version integer not null,
  started_at timestamptz not null,
  latency_ms integer not null,
  http_status smallint,
  error text,
  response text,
  primary key (delivery_id, position)
);
