-- Hash of what a client can read of a record: places/shown.ts. Null in records from before, until something near them
-- changes.
alter table catalog_records add column shown uuid;
alter table catalog_record_changes add column shown uuid;

create or replace view catalog_next_records as
select number, data_set_id, source_id, dataset_kind, cell, latitude, longitude, country_code, rank, name_words,
  other_words, categories, contacts, areas, place, superseded, closed_at, shown
from catalog_records
where (select changed.number from catalog_record_changes changed where changed.number = catalog_records.number) is null
union all
select number, data_set_id, source_id, dataset_kind, cell, latitude, longitude, country_code, rank, name_words,
  other_words, categories, contacts, areas, place, superseded, closed_at, shown
from catalog_record_changes;

create or replace view catalog_next_areas as
select data_set_id, source_id, hash, kind, latitude, longitude, country_code, extent, shape, name, level
from catalog_areas
where (
  select changed.source_id
  from catalog_area_changes changed
  where changed.data_set_id = catalog_areas.data_set_id
    and changed.source_id = catalog_areas.source_id
) is null
union all
select data_set_id, source_id, hash, kind, latitude, longitude, country_code, extent, shape, name, level
from catalog_area_changes
where not is_gone;

-- One row a place of the catalog as it is shown: the business that its records describe. Of the generation that is
-- searched; the switch to the next changes it.
create table catalog_places (
  -- The cell that it lies in, times 2^20, and a sequence in the cell: neighbors are neighbors. Never used again.
  place bigint primary key,
  -- `place` of all its records.
  lead integer not null,
  business_id uuid not null,
  -- What a client sees is this and the revision of the business.
  revision bigint not null,
  -- Of what a client can read of it in any language. Null in places from before, until they change.
  shown uuid
);
create unique index catalog_places_by_lead on catalog_places (lead);
create unique index catalog_places_by_business on catalog_places (business_id);

-- The highest number that left its cell.
create table catalog_left_places (
  cell integer primary key,
  last bigint not null
);

-- One row a generation. A restored backup goes on with other ids.
create table catalog_generations (
  generation bigint primary key,
  id uuid not null,
  -- The places that are new, changed or gone since the generation before; null when they are too many to list.
  places bigint[],
  created_at timestamptz not null default now()
);
insert into catalog_generations (generation, id)
select generation, gen_random_uuid()
from catalog_state
where not exists (select from catalog_records);

-- Older programs know nothing of places, and may not change them.
create function refuse_older_import() returns trigger language plpgsql as $$
begin
  if not exists (select from catalog_generations where generation = new.generation) then
    raise exception 'This program is older than the catalog. Use the newer version of Waypost to import or remove.';
  end if;
  return new;
end
$$;
create trigger refuse_older_import before update of generation on catalog_state
for each row when (new.generation <> old.generation) execute function refuse_older_import();

-- Beside a place of the catalog: what is added to it. Then it counts from 0, and is added to the place's revision.
alter table businesses
  drop constraint businesses_revision_check,
  add constraint businesses_revision_check check (revision >= 0) not valid,
  -- What a client could read of the place when it left the catalog.
  add column shown uuid;
create index businesses_merged on businesses (merged_into) where merged_into is not null;

insert into installation (name, value)
values ('identity', gen_random_uuid()::text);
