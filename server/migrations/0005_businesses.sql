-- One row per real-world business, shared by everyone who finds it.
create table businesses (
  id uuid primary key,
  revision bigint not null check (revision >= 1),
  -- What was last seen of it, by facet (see facets.ts): a fingerprint of each, and the fields
  -- themselves. JSON that the database never looks inside; as json it would be parsed at each write.
  fingerprints text not null,
  content text not null,
  -- Two ids that turned out to be one business: the younger points to the older, for those who
  -- hold it. Its keys lead to the older themselves.
  merged_into uuid references businesses (id)
);

-- Every name a business is recognized by: its place id, data id, cid.
create table business_keys (
  key text primary key,
  business_id uuid not null references businesses (id)
);

create index business_keys_by_business on business_keys (business_id);
