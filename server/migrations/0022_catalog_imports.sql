-- How far the import of each data set has read its file. Unlogged, as the tables that it stages items in: after
-- a crash of the server all of them are empty together, and the import begins again.
create unlogged table catalog_imports (
  -- The data set's.
  name text primary key,
  -- The table that its items are staged in.
  stage text not null,
  -- Of the file and how it is read; null for an import that no other can continue.
  fingerprint text,
  -- The session that runs it, or ran it last.
  pid integer not null,
  -- How many items of the file are staged or skipped, in the order it is read in.
  items bigint not null default 0,
  places bigint not null default 0,
  areas bigint not null default 0,
  skipped bigint not null default 0,
  -- The rows that the reader cannot use, once all of the file is read.
  skipped_rows jsonb,
  updated_at timestamptz not null default now()
);

create function drop_catalog_stage(stage text) returns void language plpgsql as $$
begin
  execute format('drop table if exists %I cascade', stage);
end
$$;
