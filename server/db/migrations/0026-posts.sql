-- A delivery that is a post: what it says, and what it shows beside the first asset, in order.
alter table deliveries add column post_text text;
alter table deliveries add column more jsonb not null default '[]';
-- What makes two posts with the same first picture different ones; empty where a file alone is delivered.
alter table deliveries add column post_key text collate "C" not null default '';
create index deliveries_of_several on deliveries (client_id) where more <> '[]';
alter table deliveries drop constraint deliveries_client_id_asset_id_version_connection_id_renditi_key;
alter table deliveries add unique (client_id, asset_id, version, connection_id, rendition, post_key);
