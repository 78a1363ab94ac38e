-- The reference comes first, because only it tells entries apart. With the organization first, an
-- organization younger than the statistics seemed to have no entries: the planner then looked for a
-- reference by the primary key, and every charge read all that the organization had paid for.
drop index ledger_entries_taken;
drop index ledger_entries_released;

create unique index ledger_entries_taken on ledger_entries (reference, organization_id) where kind <> 'release';
create unique index ledger_entries_released on ledger_entries (reference, organization_id) where kind = 'release';
