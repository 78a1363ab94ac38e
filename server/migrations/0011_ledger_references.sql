-- The reference comes first, because only it tells entries apart. With the organization first, and
-- before there were statistics, the planner looked for a reference by the primary key, through all
-- entries of the organization.
drop index ledger_entries_taken;
drop index ledger_entries_released;

create unique index ledger_entries_taken on ledger_entries (reference, organization_id) where kind <> 'release';
create unique index ledger_entries_released on ledger_entries (reference, organization_id) where kind = 'release';
