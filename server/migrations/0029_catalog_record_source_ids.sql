-- An import into an empty catalog drops indexes while it stores records and creates them afterwards. That of source ids
-- is such an index, and no constraint, because adding a constraint waits for every reader and makes others wait.
create unique index catalog_records_by_source_id on catalog_records (source_id, data_set_id);
alter table catalog_records drop constraint catalog_records_source_id_data_set_id_key;
