-- Collections that were deleted and whose cells and records remain: a large one has millions, which a loop deletes in
-- batches. The tenant went with the collection.
create table removed_collections (
  id uuid primary key,
  removed_at timestamptz not null default now()
);
