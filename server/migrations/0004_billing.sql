-- What an operator granted an organization; who has no row here has the default.
create table allowances (
  organization_id uuid primary key references organizations (id),
  units_per_month bigint not null check (units_per_month between 0 and 9007199254740991)
);

-- The counter of one organization and calendar month (UTC), named by its first day.
create table usage_months (
  organization_id uuid not null references organizations (id),
  month date not null,
  used bigint not null check (used >= 0),
  primary key (organization_id, month)
) with (fillfactor = 50);

-- Why the counter stands where it stands: rows are only ever added, and the units of a month add
-- up to its counter. Without a foreign key, which every charge would have to prove again: no row
-- is written here but by the statement that moves the counter, and the counter has one.
create table ledger_entries (
  id bigint generated always as identity,
  organization_id uuid not null,
  month date not null,
  kind text not null check (kind in ('charge', 'reserve', 'release')),
  units bigint not null check (units <> 0 and (units < 0) = (kind = 'release')),
  reference text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);

-- One thing is paid for once, and refunded once. The reference comes first, because only it is
-- selective: with the organization first, the planner took an organization younger than the
-- statistics for one without entries, and every charge read all of its ledger.
create unique index ledger_entries_taken on ledger_entries (reference, organization_id) where kind <> 'release';
create unique index ledger_entries_released on ledger_entries (reference, organization_id) where kind = 'release';

-- Units that count already, for an answer that is not there yet. Settling or releasing removes the
-- row; one that outlives its lease belonged to a process that died, and is released by the sweep.
create table reservations (
  organization_id uuid not null,
  reference text not null,
  lease_until timestamptz not null,
  primary key (organization_id, reference)
);

create index reservations_by_lease on reservations (lease_until);
