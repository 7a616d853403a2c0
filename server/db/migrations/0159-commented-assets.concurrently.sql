-- What triggers list (0158-commented-assets.sql), of what was there before: a few hundred at a time. The counters are held
-- meanwhile, as by any change.
do $$
declare
  its_client text;
  last_id text;
begin
  for its_client in select distinct client_id from comments order by client_id loop
    last_id := '';
    while last_id is not null loop
      perform from client_counters where client_id = its_client for update;
      with batch as materialized (
        select distinct asset_id from comments where client_id = its_client and asset_id > last_id order by asset_id limit 500
      ), listed as (
        insert into listed_assets
        select client_id, 'commented', id, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height,
          approval, alt_text <> '', rights_expire_at, allowed_surfaces
        from batch join assets a on a.client_id = its_client and a.id = batch.asset_id
        where trashed_at is null on conflict do nothing
      )
      select max(asset_id) into last_id from batch;
      commit;
    end loop;
  end loop;
end $$;
analyze listed_assets;
