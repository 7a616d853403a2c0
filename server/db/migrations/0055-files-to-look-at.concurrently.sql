-- Files from before 0054-evidence.sql are looked at bit by bit.
create index concurrently if not exists asset_versions_unread
  on asset_versions (client_id, asset_id, version) where evidence is null;
