-- Finds the records of one data set among those of all, in the order of their cells.
create index catalog_records_by_data_set on catalog_records (data_set_id, cell);
