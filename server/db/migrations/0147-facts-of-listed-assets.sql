-- What filters ask of an asset, beside its place in each list (0135-listed-assets.sql): a list is gone through without reading what
-- a filter leaves out.
-- By itself, for who writes to assets comes to this table last. What tells it: 0148-what-lists-tell.sql; of those that were listed before: 0149-facts-of-listed-assets.concurrently.sql.
alter table listed_assets
  add column folder_id text collate "C",
  add column mime_type text,
  add column created_by text,
  add column width integer,
  add column height integer,
  add column approval text,
  add column has_alt_text boolean,
  add column rights_expire_at timestamptz(3),
  add column allowed_surfaces text[];
