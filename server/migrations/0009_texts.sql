-- Records and facets are JSON that we write ourselves and that the database never looks inside. As
-- text they are stored as they come; as json each would be parsed first.
alter table scrape_results alter column record type text;

alter table businesses
alter column fingerprints type text,
alter column content type text;
