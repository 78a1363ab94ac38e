-- What an area is called in other languages than its own, by their tags; null where it has no other name. Addresses are
-- written with it.
alter table catalog_areas add column names_by_language json;
alter table catalog_area_changes add column names_by_language json;
