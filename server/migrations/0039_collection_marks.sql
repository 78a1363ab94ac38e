-- Where the next page of a cell begins, in a source that goes on by a mark and not by page.
alter table collection_cells add column mark text;
