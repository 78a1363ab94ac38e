-- How the source read the question, on one line; null until a page was read, and where the source does not say.
alter table scrapes add column query_reading text;
alter table collections add column query_reading text;
