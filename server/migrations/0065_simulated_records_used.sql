-- When results last took a record up. Simulated businesses are of whatever kind and town is asked for, so there is no end
-- of them: a loop deletes those that no result can have any more.
alter table simulated_records add column used_at timestamptz not null default now();
create index simulated_records_used on simulated_records (used_at);
