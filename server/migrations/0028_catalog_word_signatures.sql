-- Each word of the dictionary says of its places which other words and kinds they may have. What was written before does
-- not: searches read whole blocks until the next import, which writes the dictionary again.
delete from catalog_word_groups;
delete from catalog_word_postings;
delete from catalog_words;
