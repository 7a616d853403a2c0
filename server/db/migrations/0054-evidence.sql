-- What the bytes of a file say of how it came about, beside what people say. Null: nobody has looked yet.
alter table asset_versions add column evidence jsonb;
alter table assets add column evidence jsonb;

-- Files from before that was looked for are looked at bit by bit.
create index asset_versions_unread on asset_versions (client_id, asset_id, version) where evidence is null;
