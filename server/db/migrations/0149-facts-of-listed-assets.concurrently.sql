-- What triggers tell (0148-what-lists-tell.sql), of what was listed before: a few hundred at a time. The counters are held
-- meanwhile, as by any change.
do $$
declare
  its_client text;
  ids text[];
begin
  for its_client in select id from clients order by id loop
    ids := array[''];
    while ids <> '{}' loop
      perform from client_counters where client_id = its_client for update;
      ids := array(select distinct asset_id from (select asset_id from listed_assets
        where client_id = its_client and asset_id > ids[cardinality(ids)] order by asset_id limit 500) as its order by asset_id);
      update listed_assets l set folder_id = a.folder_id, mime_type = a.mime_type, created_by = a.created_by, width = a.width,
          height = a.height, approval = a.approval, has_alt_text = a.alt_text <> '', rights_expire_at = a.rights_expire_at,
          allowed_surfaces = a.allowed_surfaces
        from assets a where a.client_id = its_client and a.id = any(ids) and l.client_id = its_client and l.asset_id = a.id;
      commit;
    end loop;
  end loop;
end $$;
create index concurrently if not exists listed_assets_in_time on listed_assets (client_id, list, created_at, asset_id)
  include (size_bytes, folder_id, mime_type, created_by, width, height, approval, has_alt_text, rights_expire_at, allowed_surfaces);
create index concurrently if not exists listed_assets_in_title on listed_assets (client_id, list, lower(title) collate "C", asset_id)
  include (title, created_at, size_bytes, folder_id, mime_type, created_by, width, height, approval, has_alt_text, rights_expire_at,
    allowed_surfaces);
create index concurrently if not exists listed_assets_in_size on listed_assets (client_id, list, size_bytes, asset_id)
  include (created_at, folder_id, mime_type, created_by, width, height, approval, has_alt_text, rights_expire_at, allowed_surfaces);
drop index concurrently if exists listed_assets_by_time;
drop index concurrently if exists listed_assets_by_title;
drop index concurrently if exists listed_assets_by_size;
analyze listed_assets;
