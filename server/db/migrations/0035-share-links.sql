-- Addresses by which people without an account look at, or fetch, a selection of assets or a folder with all below it.
create table share_links (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  token_hash text collate "C" not null unique,
  title text not null check (char_length(title) <= 200),
  note text not null default '' check (char_length(note) <= 2000),
  -- Null for a selection, which stands in share_link_assets. Whatever is in the folder when it is opened is shared.
  folder_id text collate "C",
  password_hash text,
  allows text not null check (allows in ('view', 'download')),
  files text not null check (files in ('original', 'rendition')),
  watermark text check (char_length(watermark) <= 60),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  open_count integer not null default 0,
  last_opened_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (client_id, id),
  foreign key (client_id, folder_id) references folders (client_id, id) on delete cascade
);
create index share_links_newest on share_links (client_id, created_at desc, id desc);
create index share_links_folder on share_links (client_id, folder_id);
create index share_links_age on share_links (expires_at);

create table share_link_assets (
  client_id text collate "C" not null,
  share_link_id text collate "C" not null,
  asset_id text collate "C" not null,
  place integer not null,
  primary key (client_id, share_link_id, asset_id),
  foreign key (client_id, share_link_id) references share_links (client_id, id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index share_link_assets_asset on share_link_assets (client_id, asset_id);

-- Who opened it, as far as that may be kept: the network, not the address. Only the latest of each link stay.
create table share_link_visits (
  id bigint generated always as identity primary key,
  client_id text collate "C" not null,
  share_link_id text collate "C" not null,
  network text not null,
  browser text not null,
  visited_at timestamptz(3) not null default now(),
  foreign key (client_id, share_link_id) references share_links (client_id, id) on delete cascade
);
create index share_link_visits_newest on share_link_visits (client_id, share_link_id, id desc);
