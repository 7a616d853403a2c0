-- A selection or the result of a search, to be downloaded as a zip: as it was when somebody asked, so that every
-- range of it is of the same archive.
create table downloads (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  name text not null,
  -- A version that is gone takes its file along: then there are fewer than this, and nothing is sent.
  file_count integer not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (client_id, id)
);
create index downloads_maker on downloads (client_id, created_by, created_at);
create index downloads_age on downloads (expires_at);

create table download_files (
  client_id text collate "C" not null,
  download_id text collate "C" not null,
  place integer not null,
  asset_id text collate "C" not null,
  version integer not null,
  -- Folders from the top, then the name.
  path text[] not null,
  -- As it was known then: it is written in another place of the archive where it is not.
  crc32 bigint,
  primary key (client_id, download_id, place),
  foreign key (client_id, download_id) references downloads (client_id, id) on delete cascade,
  foreign key (client_id, asset_id, version) references asset_versions (client_id, asset_id, version) on delete cascade
);
create index download_files_version on download_files (client_id, asset_id, version);
