-- The 64 bits of how a picture looks, in four bands of sixteen: of two that differ in up to three bits one band is the same
-- in both, of two that differ in up to ten one differs in two at most. So those that look alike are found by an index.
create function hash_band(hash bit(64), band integer) returns integer language sql immutable parallel safe as $$
  select (substring(hash from band * 16 + 1 for 16))::bit(16)::integer
$$;
drop index assets_perceptual_hash;
create index assets_band_0 on assets (client_id, hash_band(perceptual_hash, 0))
  where perceptual_hash is not null and trashed_at is null;
create index assets_band_1 on assets (client_id, hash_band(perceptual_hash, 1))
  where perceptual_hash is not null and trashed_at is null;
create index assets_band_2 on assets (client_id, hash_band(perceptual_hash, 2))
  where perceptual_hash is not null and trashed_at is null;
create index assets_band_3 on assets (client_id, hash_band(perceptual_hash, 3))
  where perceptual_hash is not null and trashed_at is null;
create index assets_twins on assets (client_id, sha256, id) where sha256 is not null and trashed_at is null;

-- Whoever kept the ref of an asset that was merged into another is led to that one, also once the first is purged.
create table merged_assets (
  client_id text collate "C" not null,
  id text collate "C" not null,
  into_id text collate "C" not null,
  merged_at timestamptz(3) not null default now(),
  primary key (client_id, id),
  foreign key (client_id, into_id) references assets (client_id, id) on delete cascade,
  check (id <> into_id)
);
create index merged_assets_into on merged_assets (client_id, into_id);
