-- What the test keys of an organization have stored on its latest day (UTC) of use. One row per
-- organization: a new day starts the count again.
create table test_usage (
  organization_id uuid primary key references organizations (id),
  day date not null,
  used integer not null check (used > 0)
) with (fillfactor = 50);
