-- Which jobs are in the queue is told by finished_at and not by status. A worker that writes to a few
-- running jobs names them by id and asks for their status; with the status in the predicate, the
-- planner took this index for the way to them and read everything that was waiting.
drop index scrapes_due;

create index scrapes_due on scrapes (environment, (coalesce(lease_until, run_at)))
where finished_at is null;

-- Every event of an organization locked the organization's row to prove it, and transactions that
-- did so at once had to record each other. The organization comes from the row of the resource.
alter table webhook_events drop constraint webhook_events_organization_id_fkey;
