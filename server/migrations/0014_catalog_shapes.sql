-- Boundaries as shapes: what a place lies in is decided by containment.
alter table catalog_areas
  -- Of everything the import says of the area; null in rows from before there were shapes.
  add column hash uuid,
  -- The administrative level, where the area is such a unit.
  add column level smallint,
  -- Around the shape, longitude first. Past 180 degrees where it crosses the antimeridian.
  add column extent box,
  -- The outline, simplified and packed: sources/shape.ts.
  add column shape text;
create index catalog_areas_by_extent on catalog_areas using gist (extent);
create index catalog_areas_by_hash on catalog_areas (hash);

-- The source ids of the areas that a place lies in, the widest first.
alter table catalog_records add column areas text[] not null default '{}';

-- What a data set covers: the tiles that it has places in, as cells without their last bits, and the
-- countries. Null in data sets from before, which count as covering everything.
alter table catalog_data_sets
  add column coverage integer[],
  add column coverage_shift smallint,
  add column coverage_countries text[];
