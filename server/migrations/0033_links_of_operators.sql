-- Who runs the service may set anybody's password anew; an owner only that of a person who belongs to no other organization.
alter table one_time_links add column by_operator boolean not null default false;
