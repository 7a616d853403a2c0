create index concurrently if not exists assets_facets on assets using gin (client_id,
  facets_of(mime_type, created_by, width, height, alt_text, approval, allowed_surfaces)) where trashed_at is null;
analyze assets;
