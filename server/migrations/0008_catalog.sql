-- One row per file, region or feed that was imported; importing it again updates it in place.
create table catalog_data_sets (
  id integer generated always as identity primary key,
  name text not null unique,
  origin text not null,
  imported_at timestamptz not null
);

-- What each data set says of each place. A record that left its data set is closed, not deleted, and
-- opens again under the same number when it comes back.
create sequence catalog_record_numbers as integer;
create table catalog_records (
  number integer primary key,
  data_set_id integer not null references catalog_data_sets (id),
  source_id text not null,
  -- The part of source_id before the colon: two kinds of data set may describe one business.
  dataset_kind text not null,
  hash uuid not null,
  -- Where it lies, as a number in which neighbors are mostly near: catalog/cells.ts.
  cell integer not null,
  latitude double precision not null,
  longitude double precision not null,
  country_code text not null,
  rank smallint not null,
  name_words text not null,
  other_words text not null,
  categories text[] not null,
  contacts text[] not null,
  -- The whole PlaceRecord as JSON. Text, because the database never looks inside.
  record text not null,
  -- The number of the record that leads the business: its own, or that of the record it is merged into.
  place integer not null,
  -- Another data set, imported later, has the same source_id.
  superseded boolean not null default false,
  closed_at timestamptz,
  unique (source_id, data_set_id)
);

create index catalog_records_by_place on catalog_records (place);
create index catalog_records_by_cell on catalog_records (cell) where closed_at is null and not superseded;

create table catalog_areas (
  data_set_id integer not null references catalog_data_sets (id),
  source_id text not null,
  name text not null,
  -- Normalized, in every language it is known in.
  names text[] not null,
  kind text not null,
  latitude double precision not null,
  longitude double precision not null,
  -- South, west, north, east.
  box double precision[],
  population integer,
  country_code text,
  primary key (data_set_id, source_id)
);

-- The search index: the places of one range of cells, packed as a process searches them in memory.
create table catalog_blocks (
  first_cell integer primary key,
  last_cell integer not null,
  -- The generation that wrote it: a process that holds this version need not read it again.
  version bigint not null,
  places integer not null,
  countries text[] not null,
  -- South, west, north, east of the places inside, in ten-millionths of a degree.
  bounds integer[] not null,
  bytes bytea not null
);
alter table catalog_blocks alter column bytes set storage external;

-- One row. Every import and removal raises the generation in the transaction that changes the rest.
create table catalog_state (
  only_row boolean primary key default true check (only_row),
  generation bigint not null
);
insert into catalog_state (generation) values (1);
