-- A file of results and, until it is finished, its own place in the queue, as with scrapes. The row
-- names the file and the storage that has it; only a row that is ready makes a file downloadable.
create table exports (
  id uuid primary key,
  organization_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  job_ids uuid[] not null,
  collection_id uuid,
  format text not null,
  status text not null check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
  error_code text,
  row_count bigint,
  size_bytes bigint,
  sha256 text,
  file_key text,
  storage text,
  request_id text not null,
  webhook_endpoint_id uuid,
  run_at timestamptz not null default now(),
  lease_until timestamptz,
  lease_token bigint not null default 0,
  attempt smallint not null default 0,
  losses smallint not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  check ((cardinality(job_ids) = 0) = (collection_id is not null)),
  check ((finished_at is null) = (status in ('queued', 'running'))),
  check ((error_code is not null) = (status = 'failed')),
  check ((file_key is not null) = (status in ('ready', 'expired'))),
  check ((expires_at is not null) = (status in ('ready', 'expired'))),
  check ((lease_until is null) or (status = 'running'))
);

create index exports_due on exports ((coalesce(lease_until, run_at))) where finished_at is null;

create index exports_by_organization on exports (organization_id, environment, id);

create index exports_by_expiry on exports (expires_at) where status = 'ready';
