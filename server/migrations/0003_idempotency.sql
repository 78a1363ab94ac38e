-- One row per key a client chose for one call. While the call runs it holds a lease; afterwards it
-- holds the outcome, in the operation's own words.
create table idempotency_records (
  owner text not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  token uuid not null,
  lease_until timestamptz,
  outcome text,
  -- json, not jsonb: a replay says what was said, in the same order.
  answer json,
  expires_at timestamptz not null,
  primary key (owner, operation, key),
  check ((lease_until is null) = (outcome is not null)),
  check ((outcome is null) = (answer is null))
);

create index idempotency_records_by_expiry on idempotency_records (expires_at);
