-- Indexes of 0068-finding.sql and 0071-duplicates.sql, which built them themselves once: where they did, all of these are there.

-- In all folders, in the order of time. What stands behind the id is looked at in the index already: a filter reads no asset
-- that it leaves out. The other orders: 0093-types-in-each-order.concurrently.sql.
create index concurrently if not exists assets_everywhere on assets (client_id, created_at desc, id desc,
  size_bytes, width, height, rights_expire_at) where trashed_at is null;
drop index concurrently if exists assets_everywhere_before;

-- Each filter that picks out few, in the order that people see first: a page of it is read as it stands there.
create index concurrently if not exists assets_of_kind on assets
  (client_id, split_part(mime_type, '/', 1), created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_of_type on assets
  (client_id, mime_type, created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_by_uploader on assets
  (client_id, created_by, created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_by_orientation on assets
  (client_id, orientation_of(width, height), created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_by_ratio on assets
  (client_id, ratio_of(width, height), created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_by_approval on assets
  (client_id, approval, created_at desc, id desc) where trashed_at is null;
create index concurrently if not exists assets_without_alt_text on assets
  (client_id, created_at desc, id desc) where trashed_at is null and alt_text = '';
create index concurrently if not exists assets_with_rights_ending on assets
  (client_id, rights_expire_at) where trashed_at is null and rights_expire_at is not null;

-- What looks alike, and what is the same.
create index concurrently if not exists assets_band_0 on assets
  (client_id, hash_band(perceptual_hash, 0)) where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_band_1 on assets
  (client_id, hash_band(perceptual_hash, 1)) where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_band_2 on assets
  (client_id, hash_band(perceptual_hash, 2)) where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_band_3 on assets
  (client_id, hash_band(perceptual_hash, 3)) where perceptual_hash is not null and trashed_at is null;
drop index concurrently if exists assets_perceptual_hash;
create index concurrently if not exists assets_twins on assets
  (client_id, sha256, id) where sha256 is not null and trashed_at is null;
