-- Assets put together by hand, across folders: an asset may stand in many, in each at a place of its own.
create table collections (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  name text not null check (char_length(name) <= 120),
  name_key text collate "C" not null,
  name_order text collate "C" not null generated always as (counted(name_key)) stored,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (client_id, id),
  unique (client_id, name_key)
);
create index collections_order on collections (client_id, name_order, id);

-- Places have gaps between them, so that one asset moves without the others. What lies in the trash keeps its place.
create table collection_assets (
  client_id text collate "C" not null,
  collection_id text collate "C" not null,
  asset_id text collate "C" not null,
  place bigint not null,
  primary key (client_id, collection_id, asset_id),
  foreign key (client_id, collection_id) references collections (client_id, id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index collection_assets_place on collection_assets (client_id, collection_id, place, asset_id);
create index collection_assets_asset on collection_assets (client_id, asset_id);

-- Of a collection is shared whatever stands in it when the link is opened, in its order.
alter table share_links add column collection_id text collate "C";
alter table share_links add foreign key (client_id, collection_id) references collections (client_id, id) on delete cascade;
create index share_links_collection on share_links (client_id, collection_id) where collection_id is not null;
