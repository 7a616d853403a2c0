-- What agents looked at: a row for each agent, asset and hour. It outlives the key, and goes with the asset.
create table asset_looks (
  client_id text not null,
  key_id text not null,
  asset_id text not null,
  hour timestamptz not null,
  primary key (client_id, key_id, hour, asset_id),
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index asset_looks_asset on asset_looks (client_id, asset_id);
create index asset_looks_hour on asset_looks (hour);
