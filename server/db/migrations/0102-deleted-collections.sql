-- A deleted collection is kept for a while with its order and its links, so that deleting it can be taken back.
alter table collections add column deleted_at timestamptz(3);
alter table collections drop constraint collections_client_id_name_key_key;
create unique index collections_name on collections (client_id, name_key) where deleted_at is null;
create index collections_deleted on collections (deleted_at) where deleted_at is not null;

-- What stood in it is out of sight meanwhile.
create table deleted_collection_assets (
  client_id text collate "C" not null,
  collection_id text collate "C" not null,
  asset_id text collate "C" not null,
  place bigint not null,
  primary key (client_id, collection_id, asset_id),
  foreign key (client_id, collection_id) references collections (client_id, id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index deleted_collection_assets_asset on deleted_collection_assets (client_id, asset_id);
