-- The records of fixtures, which come again in the results of every test key: results hold `~` and the id.
create table simulated_records (
  id uuid primary key,
  record text not null
);
