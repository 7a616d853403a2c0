-- What is made of a version's original: previews, storyboards, renditions. A row without `made_at` is being made
-- by whoever holds the lease, so that one maker serves every viewer on every node.
create table derived_files (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  name text collate "C" not null,
  mime_type text,
  size_bytes bigint,
  width integer,
  height integer,
  leased_until timestamptz(3) not null,
  made_at timestamptz(3),
  primary key (client_id, asset_id, version, name),
  foreign key (client_id, asset_id, version) references asset_versions (client_id, asset_id, version) on delete cascade
);
create index assets_perceptual_hash on assets (client_id) where perceptual_hash is not null and trashed_at is null;
