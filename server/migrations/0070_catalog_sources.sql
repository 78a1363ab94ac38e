-- What a data set can be brought up to date from: its publisher, what of it, and the version that was imported last.
-- Null for a file, which nobody knows a newer one of.
alter table catalog_data_sets add column source jsonb;
