-- What the bytes of a file say of how it came about, beside what people say. Null: nobody has looked yet.
alter table asset_versions add column evidence jsonb;
alter table assets add column evidence jsonb;
