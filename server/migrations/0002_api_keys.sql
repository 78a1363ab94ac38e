create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  -- The eight characters by which a presented key is found. The key itself is only kept as a hash.
  public_part text not null unique,
  hash bytea not null,
  scopes text[] not null,
  allowed_networks text[] not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  replaced_by uuid references api_keys (id),
  revoked_at timestamptz,
  revoked_reason text,
  created_at timestamptz not null default now(),
  check ((revoked_at is null) = (revoked_reason is null))
);

create index api_keys_by_organization on api_keys (organization_id, created_at);
