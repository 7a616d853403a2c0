-- As in 0077-finding.concurrently.sql, with what is compared: what only shares a band is left out without being read.
create index concurrently if not exists assets_look_0 on assets (client_id, hash_band(perceptual_hash, 0)) include (perceptual_hash, id)
  where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_look_1 on assets (client_id, hash_band(perceptual_hash, 1)) include (perceptual_hash, id)
  where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_look_2 on assets (client_id, hash_band(perceptual_hash, 2)) include (perceptual_hash, id)
  where perceptual_hash is not null and trashed_at is null;
create index concurrently if not exists assets_look_3 on assets (client_id, hash_band(perceptual_hash, 3)) include (perceptual_hash, id)
  where perceptual_hash is not null and trashed_at is null;
drop index concurrently if exists assets_band_0;
drop index concurrently if exists assets_band_1;
drop index concurrently if exists assets_band_2;
drop index concurrently if exists assets_band_3;
