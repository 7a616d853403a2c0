-- A plan is kept for as long as a line is open. One made while there were few words read all of them for each word, and still
-- did when there were thousands: texts of a few pages then took seconds. `offset 0` has each looked up by itself, in its index.
create or replace function assets_words() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  insert into asset_words select new.client_id, word from words_in(new.search_text) as word (word)
    where not exists (select from asset_words known where known.client_id = new.client_id and known.word = word.word offset 0);
  return null;
end $$;
create or replace function assets_tags() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  insert into asset_tags (client_id, tag_key, tag) select new.client_id, lower(given.tag), given.tag from unnest(new.tags) as given (tag)
    where not exists (select from asset_tags known where known.client_id = new.client_id and known.tag_key = lower(given.tag) offset 0);
  return null;
end $$;
-- New words are few, and each search for one that is misspelt went through all that waited to be put in order.
alter index asset_words_alike set (fastupdate = off);
select gin_clean_pending_list('asset_words_alike');
