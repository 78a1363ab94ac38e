-- Whether the installation's own data answers a job or collection, as far as was known at its creation. What live services
-- answer is claimed apart, since few of it may run at once.
alter table scrapes add column is_local boolean not null default true;
alter table collections add column is_local boolean not null default true;

drop index scrapes_due;
create index scrapes_due on scrapes (environment, is_local, (coalesce(lease_until, run_at)))
where finished_at is null;
