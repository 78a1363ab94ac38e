-- Of a place of the catalog a business holds what is added to it, and its revision counts that alone, from 0. A client
-- sees it together with the place's: this is the place's when it left the catalog.
alter table businesses add column place_revision bigint not null default 0;
