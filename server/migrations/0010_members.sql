-- People who use the dashboard. A person may belong to several organizations.
create table people (
  id uuid primary key,
  -- Lower case; the address by which a person signs in.
  email text not null unique check (email = lower(email)),
  name text not null,
  -- Null for a person who signs in through an identity provider only.
  password_hash text,
  created_at timestamptz not null default now()
);

create table memberships (
  organization_id uuid not null references organizations (id),
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (organization_id, person_id)
);

create index memberships_by_person on memberships (person_id);

-- A person at an identity provider.
create table identities (
  issuer text not null,
  subject text not null,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create index identities_by_person on identities (person_id);

create table sessions (
  id uuid primary key,
  -- SHA-256 of the cookie's value, which the browser alone has.
  token_hash bytea not null unique,
  person_id uuid not null references people (id) on delete cascade,
  organization_id uuid not null,
  user_agent text not null,
  address text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Removing a member ends the sessions that act for that organization.
  foreign key (organization_id, person_id) references memberships (organization_id, person_id) on delete cascade
);

create index sessions_by_person on sessions (person_id);
create index sessions_by_expiry on sessions (expires_at);

-- Links that work once: they make the first owner, bring in a new member, or set a new password.
create table one_time_links (
  id uuid primary key,
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('invite', 'reset')),
  organization_id uuid not null references organizations (id),
  -- The address that an invitation is for; null lets the first owner choose one.
  email text check (email = lower(email)),
  role text check (role in ('owner', 'member', 'viewer')),
  person_id uuid references people (id) on delete cascade,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  check (case purpose when 'invite' then role is not null else person_id is not null end)
);

create index one_time_links_by_organization on one_time_links (organization_id, created_at);
create index one_time_links_by_expiry on one_time_links (expires_at);

-- Failed sign-ins of one account or one network address, counted in a window.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  window_ends_at timestamptz not null
);

create index sign_in_failures_by_window on sign_in_failures (window_ends_at);
