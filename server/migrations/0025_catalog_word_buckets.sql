-- The dictionary has eight times as many buckets, so that a search reads an eighth of the words beside those it looks
-- up. What was written before is of the other division: searches read whole blocks until the next import, which writes
-- the dictionary again.
delete from catalog_word_groups;
delete from catalog_word_postings;
delete from catalog_words;
