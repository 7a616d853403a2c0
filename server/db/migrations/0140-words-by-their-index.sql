-- A plan is kept for as long as a line is open. One made while there were few words read all of them for each word, and still
-- did when there were thousands: texts of a few pages then took seconds. So they are always looked up one by one.
alter function assets_words() set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off;
alter function assets_tags() set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off;
-- New words are few, and each search for one that is misspelt went through all that waited to be put in order.
alter index asset_words_alike set (fastupdate = off);
select gin_clean_pending_list('asset_words_alike');
