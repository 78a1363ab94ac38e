-- The dictionary holds places with what a search compares of them, in smaller buckets. What was written before is
-- of another layout: searches read whole blocks until the next import, which writes the dictionary again.
delete from catalog_word_groups;
delete from catalog_word_postings;
delete from catalog_words;
