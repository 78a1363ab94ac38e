-- Every charge of an organization updates one row. Room on its page lets PostgreSQL reuse what is dead without a vacuum;
-- a vacuum of its own comes after a thousand updates, whatever the size of the table, and takes no pauses in the few pages.
alter table usage_months set (
  fillfactor = 10,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
alter table test_usage set (
  fillfactor = 10,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
