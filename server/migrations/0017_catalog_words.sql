-- The dictionary: which blocks and places hold a word, so that a search over a country reads only those.
-- A group is a range of cells with its blocks, as a block is a range of cells with its places.
create table catalog_word_groups (
  first_cell integer primary key,
  last_cell integer not null,
  -- The generation that wrote it.
  version bigint not null,
  -- The first cells of its blocks; postings name a block by its position here.
  blocks integer[] not null
);

-- The words of a group by bucket: catalog/search/dictionary/postings.ts. The bucket comes first, because a
-- search reads the same one of many groups.
create table catalog_word_postings (
  bucket smallint not null,
  group_cell integer not null,
  version bigint not null,
  bytes bytea not null,
  primary key (bucket, group_cell)
);
create index catalog_word_postings_by_group on catalog_word_postings (group_cell);
alter table catalog_word_postings alter column bytes set storage external;

-- Every word once, for finding what a misspelled one may mean.
create table catalog_words (
  -- In UTF-16 code units, as a search measures it.
  length smallint not null,
  word text collate "C" not null,
  -- How many groups hold it; without any it leaves.
  groups integer not null,
  -- The generation that it came with: a process that knows the words up to one reads only those after.
  version bigint not null,
  primary key (length, word)
);
