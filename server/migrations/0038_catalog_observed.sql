-- When the publisher of a data set last knew what it says: its own date, else the file's. Null where an earlier version
-- imported it.
alter table catalog_data_sets add column observed_at timestamptz;
-- The same of a file that is staged whole, so that an import that continues need not read it again.
alter table catalog_imports add column observed_at timestamptz;
