-- What every process of one installation must agree on.
create table installation (
  name text primary key,
  value text not null
);

create table organizations (
  id uuid primary key,
  name text not null,
  entitlement text not null check (entitlement in ('active', 'inactive')),
  created_at timestamptz not null default now()
);
