-- A job and, until it is terminal, its own place in the queue: it may be claimed from run_at on, or,
-- while a worker holds it, from lease_until on. Whoever claims it raises lease_token and must name
-- it in every write. Without foreign keys, which every creation and every result would have to
-- prove again: the organization comes from a verified key, and jobs are deleted with their results.
create table scrapes (
  id uuid primary key,
  organization_id uuid not null,
  environment text not null check (environment in ('live', 'test')),
  operation text not null,
  -- json, not jsonb: written once and handed on as it is.
  params json not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'partial', 'failed', 'canceled')),
  completed_queries smallint not null default 0,
  total_queries smallint not null default 1,
  result_count integer not null default 0,
  error_code text,
  request_id text not null,
  webhook_endpoint_id uuid,
  run_at timestamptz not null default now(),
  lease_until timestamptz,
  lease_token bigint not null default 0,
  attempt smallint not null default 0,
  -- How often a worker died while it held the job. It takes all its jobs with it, whichever was the
  -- cause; those it keeps happening to are quarantined: they run one at a time.
  losses smallint not null default 0,
  -- The last progress event, and how many results it reported.
  progress_emitted_at timestamptz,
  progress_emitted_count integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check (completed_queries between 0 and total_queries),
  check ((finished_at is null) = (status in ('queued', 'running'))),
  check ((error_code is null) or (status in ('partial', 'failed'))),
  check ((status <> 'failed') or (error_code is not null)),
  check ((lease_until is null) or (status = 'running'))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- Finished jobs are not in it, so that their number costs a claim nothing. The predicate is not on
-- status: a worker's write names a few jobs by id and checks their status, and the planner would take
-- this index for it and read the whole queue.
create index scrapes_due on scrapes (environment, (coalesce(lease_until, run_at)))
where finished_at is null;

create index scrapes_quarantined on scrapes (environment, (coalesce(lease_until, run_at)))
where finished_at is null and losses >= 2;

create index scrapes_by_organization on scrapes (organization_id, environment, id);

-- What a list filtered by a rare outcome would otherwise search all jobs for.
create index scrapes_by_rare_outcome on scrapes (organization_id, environment, status, id)
where status in ('partial', 'failed', 'canceled');

-- A business as it was when the job found it. Rows are added in order and never changed. A record of
-- usual size stays in its row as it is: compressing it costs more than the page it saves. It is JSON
-- that the database never looks inside.
create table scrape_results (
  job_id uuid not null,
  position integer not null,
  business_id uuid not null,
  record text not null,
  primary key (job_id, position)
) with (toast_tuple_target = 8160);
