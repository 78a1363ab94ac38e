-- The columns of the file, by name and in their order; null for all of them, which is what a process of the version
-- before writes. What the file holds in a few words names it; null in exports from before.
alter table exports add column columns text[], add column title text;
