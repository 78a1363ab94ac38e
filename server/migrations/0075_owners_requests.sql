-- What businesses asked of the operator: not to be shown, or to be shown otherwise. Whatever lists a business looks here,
-- so that neither an import nor an enrichment undoes it. `asked` is what the operator named: an id of a business stands
-- for all ids that it is known by.
create table catalog_suppressions (
  kind text not null check (kind in ('id', 'phone', 'email', 'domain')),
  value text not null,
  asked text not null,
  created_at timestamptz not null default now(),
  primary key (kind, value, asked)
);

-- The value of a field of a business, null where it is to have none.
create table catalog_corrections (
  source_id text not null,
  asked text not null,
  field text not null,
  value text,
  created_at timestamptz not null default now(),
  primary key (source_id, field)
);
