-- Everything for a query in an area. The counters are kept with the row and changed only under its lock,
-- so that the ceiling on units holds whatever happens to the workers. It may be worked on from run_at on.
create table collections (
  id uuid primary key,
  organization_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  -- What the source is asked for, without page and place.
  params json not null,
  -- The area as it was sent, and what it stands for on the map.
  area json not null,
  geometry json not null,
  status text not null check (status in ('queued', 'running', 'paused', 'succeeded', 'partial', 'failed', 'canceled')),
  status_reason text
    check (status_reason in ('requested', 'max_units_reached', 'allowance_exhausted', 'source_unavailable')),
  error_code text,
  max_units integer not null,
  units_charged integer not null default 0,
  pages integer not null default 0,
  cells_total integer not null default 0,
  cells_done integer not null default 0,
  -- Those of the done that were not exhausted.
  cells_short integer not null default 0,
  result_count integer not null default 0,
  request_id text not null,
  webhook_endpoint_id uuid,
  run_at timestamptz not null default now(),
  progress_emitted_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check (units_charged between 0 and max_units),
  check (cells_done between 0 and cells_total),
  check ((finished_at is null) = (status in ('queued', 'running', 'paused')))
);

create index collections_by_organization on collections (organization_id, environment, id);

create index collections_active on collections (id) where status in ('queued', 'running');

-- A box of the area and, while it is pending, its own place in the queue, as with scrapes.
create table collection_cells (
  id uuid primary key,
  collection_id uuid not null,
  organization_id uuid not null,
  -- South, west, north, east, in degrees.
  box double precision[] not null check (cardinality(box) = 4),
  depth smallint not null,
  state text not null check (state in ('pending', 'done', 'split', 'full', 'failed', 'left_out')),
  pages smallint not null default 0,
  found integer not null default 0,
  run_at timestamptz not null default now(),
  lease_until timestamptz,
  lease_token bigint not null default 0,
  attempt smallint not null default 0,
  losses smallint not null default 0,
  first_claimed_at timestamptz,
  check ((lease_until is null) or (state = 'pending'))
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create index collection_cells_due on collection_cells (collection_id, (coalesce(lease_until, run_at)))
where state = 'pending';

create index collection_cells_held on collection_cells (organization_id) where lease_until is not null;

create index collection_cells_by_collection on collection_cells (collection_id, id);

-- A business as it was when the collection found it. Rows are added in order and never changed.
create table collection_results (
  collection_id uuid not null,
  position integer not null,
  business_id uuid not null,
  revision bigint not null,
  record text not null,
  primary key (collection_id, position),
  unique (collection_id, business_id)
) with (toast_tuple_target = 8160);
