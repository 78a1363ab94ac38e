-- How many of its places are open, as its last import left it: counting them reads every record.
alter table catalog_data_sets add column places bigint not null default 0;

update catalog_data_sets d
set places = counted.places
from (
  select data_set_id, count(*) as places
  from catalog_records
  where closed_at is null and number <= (select last_number from catalog_state)
  group by data_set_id
) counted
where counted.data_set_id = d.id;
