-- The W3C trace context of the request that a row goes back to; null where the request named none.
alter table scrapes add column traceparent text;
alter table collections add column traceparent text;
alter table exports add column traceparent text;
alter table webhook_events add column traceparent text;
