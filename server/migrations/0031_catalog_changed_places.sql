-- The places that the import of a generation changed, so that a process that has listings of the generation before
-- keeps those of all others. The last few generations alone are listed.
create table catalog_changed_places (
  generation bigint primary key,
  -- Null when there are too many to list.
  places integer[]
);
