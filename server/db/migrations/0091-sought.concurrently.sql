-- One index of all that is looked up: only within one are several things intersected, for the client would have to stand in
-- each, and the planner never combines two indexes that have a condition in common.
create index concurrently if not exists assets_sought on assets using gin (client_id,
  facets_of(mime_type, created_by, width, height, alt_text, approval, allowed_surfaces), tag_keys,
  word_list(search_text), digits_in(search_text) gin_trgm_ops) where trashed_at is null;
analyze assets;
drop index concurrently if exists assets_facets;
drop index concurrently if exists assets_tags;
drop index concurrently if exists assets_search;
-- Whoever asks for a checksum asks for what is there, and that is what assets_twins holds.
drop index concurrently if exists assets_checksum;
