-- An import writes the next generation beside the one that searches read, in many short transactions. The last of
-- them raises the generation; what was replaced leaves after it.
alter table catalog_state
  -- Records with higher numbers are of the next generation.
  add column last_number integer not null default 0,
  -- What writes the next generation, or left a part of it: the stage it reads, empty for a removal.
  add column pending text,
  -- Whether rows that the last switch replaced are left.
  add column has_replaced boolean not null default false;
update catalog_state
set last_number = coalesce((select max(number) from catalog_records), 0);

-- A data set that appears with the next generation.
alter table catalog_data_sets add column is_pending boolean not null default false;

-- Records that searches read and that are different in the next generation. Unlogged: an import that continues
-- writes them again.
create unlogged table catalog_record_changes (like catalog_records) with (autovacuum_enabled = false);
-- Null where it stays as it is.
alter table catalog_record_changes alter column record drop not null;
alter table catalog_record_changes add primary key (number);
create index catalog_record_changes_by_cell on catalog_record_changes (cell);
create index catalog_record_changes_by_place on catalog_record_changes (place);
create index catalog_record_changes_by_source_id on catalog_record_changes (source_id);

-- The records of the next generation, without their contents. Whether one changed is a lookup for each row, never a
-- join, so that a reader of a few cells does not go through all changes.
create view catalog_next_records as
select number, data_set_id, source_id, dataset_kind, cell, latitude, longitude, country_code, rank, name_words,
  other_words, categories, contacts, areas, place, superseded, closed_at
from catalog_records
where (select changed.number from catalog_record_changes changed where changed.number = catalog_records.number) is null
union all
select number, data_set_id, source_id, dataset_kind, cell, latitude, longitude, country_code, rank, name_words,
  other_words, categories, contacts, areas, place, superseded, closed_at
from catalog_record_changes;

-- The same for areas.
create unlogged table catalog_area_changes (
  like catalog_areas,
  is_gone boolean not null default false,
  primary key (data_set_id, source_id)
) with (autovacuum_enabled = false);
create index catalog_area_changes_by_extent on catalog_area_changes using gist (extent);
create index catalog_area_changes_by_hash on catalog_area_changes (hash);

create view catalog_next_areas as
select data_set_id, source_id, hash, kind, latitude, longitude, country_code, extent, shape
from catalog_areas
where (
  select changed.source_id
  from catalog_area_changes changed
  where changed.data_set_id = catalog_areas.data_set_id
    and changed.source_id = catalog_areas.source_id
) is null
union all
select data_set_id, source_id, hash, kind, latitude, longitude, country_code, extent, shape
from catalog_area_changes
where not is_gone;

-- The generation in which a row is replaced; null for none known.
alter table catalog_blocks
  add column replaced_in bigint,
  drop constraint catalog_blocks_pkey,
  add primary key (first_cell, version);
alter table catalog_word_groups
  add column replaced_in bigint,
  drop constraint catalog_word_groups_pkey,
  add primary key (first_cell, version);
alter table catalog_word_postings
  drop constraint catalog_word_postings_pkey,
  add primary key (bucket, group_cell, version);

-- By how much a generation changes the number of groups that hold a word; counted after the switch.
create table catalog_word_changes (
  generation bigint not null,
  length smallint not null,
  word text collate "C" not null,
  groups integer not null
);
