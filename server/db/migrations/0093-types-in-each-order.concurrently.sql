-- As 0068-finding.sql has them, and with the type itself: a type by title read each asset that is not of it.
create index concurrently if not exists assets_everywhere_by_title on assets (client_id, lower(title) collate "C", id,
  split_part(mime_type, '/', 1), mime_type, orientation_of(width, height), ratio_of(width, height), approval, created_by, created_at,
  size_bytes, width, height, rights_expire_at) where trashed_at is null;
create index concurrently if not exists assets_everywhere_by_size on assets (client_id, size_bytes desc, id desc,
  split_part(mime_type, '/', 1), mime_type, orientation_of(width, height), ratio_of(width, height), approval, created_by, created_at,
  width, height, rights_expire_at) where trashed_at is null;
drop index concurrently if exists assets_all_by_title;
drop index concurrently if exists assets_all_by_size;
