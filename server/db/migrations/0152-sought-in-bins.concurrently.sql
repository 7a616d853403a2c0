-- Nothing waits to be put into it: each search would go through all of that, and a change costs no more.
create index concurrently if not exists assets_sought_in_bins on assets using gin (
  in_client(client_id, facets_of(mime_type, created_by, width, height, alt_text, approval, allowed_surfaces)),
  in_client(client_id, tag_keys),
  in_client(client_id, word_list(search_text)),
  in_client(client_id, digit_triples(search_text)),
  in_client(client_id, bins_of(created_at, title, size_bytes))) with (fastupdate = off) where trashed_at is null;
analyze assets;
drop index concurrently if exists assets_sought_in_client;
