-- An import into an empty catalog creates the index of numbers after its records too, so it is no constraint, as 0029 says.
create unique index catalog_records_by_number on catalog_records (number);
alter table catalog_records drop constraint catalog_records_pkey;
