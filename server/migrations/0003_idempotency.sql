-- One row per key a client chose for one call. While the call runs it holds a lease; when it has
-- been answered it holds the answer.
create table idempotency_records (
  owner text not null,
  route text not null,
  key text not null,
  fingerprint bytea not null,
  token uuid not null,
  lease_until timestamptz,
  status smallint,
  -- json, not jsonb: a replay says what was said, in the same order.
  answer json,
  expires_at timestamptz not null,
  primary key (owner, route, key),
  check ((lease_until is null) = (status is not null)),
  check ((status is null) = (answer is null))
);

create index idempotency_records_by_expiry on idempotency_records (expires_at);
