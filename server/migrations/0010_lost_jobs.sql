-- How often a job's worker was lost while it held the job. A worker that dies takes all its jobs with
-- it, whichever of them it was; those it keeps happening to are run one at a time.
alter table scrapes add column losses smallint not null default 0;

create index scrapes_suspected on scrapes (environment, (coalesce(lease_until, run_at)))
where finished_at is null and losses >= 2;
