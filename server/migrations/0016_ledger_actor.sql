-- Who used the units: the id of an API key, or person: and the id of somebody in the dashboard. Null in entries from before,
-- and in those of processes that do not know the column yet.
alter table ledger_entries add column actor text;

-- Who created the collection, for the entries of its pages.
alter table collections add column created_by text;
