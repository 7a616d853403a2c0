-- Lists tell of an asset what filters ask (0147-facts-of-listed-assets.sql).
create or replace function list_asset(its_client text, its_id text) returns void language plpgsql as $$
begin
  with wanted as materialized (
    select a.client_id, its.list, a.id, a.created_at, a.title, a.size_bytes, a.folder_id, a.mime_type, a.created_by, a.width, a.height,
      a.approval, a.alt_text <> '', a.rights_expire_at, a.allowed_surfaces
    from assets a, lists_of(a.client_id, a.id, a.sha256) as its (list)
    where a.client_id = its_client and a.id = its_id and a.trashed_at is null
  ), gone as (
    delete from listed_assets where client_id = its_client and asset_id = its_id
      and list not in (select wanted.list from wanted)
  )
  insert into listed_assets as there select * from wanted
  on conflict (client_id, asset_id, list) do update
    set created_at = excluded.created_at, title = excluded.title, size_bytes = excluded.size_bytes
    where (there.created_at, there.title, there.size_bytes) <> (excluded.created_at, excluded.title, excluded.size_bytes);
end $$;

create or replace function assets_collected() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from listed_assets where client_id = old.client_id and asset_id = old.asset_id and list = old.collection_id;
  else
    insert into listed_assets
      select client_id, new.collection_id, id, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height,
        approval, alt_text <> '', rights_expire_at, allowed_surfaces
      from assets where client_id = new.client_id and id = new.asset_id and trashed_at is null on conflict do nothing;
  end if;
  return null;
end $$;

-- A replaced function has its settings no longer: as in 0145-lists-by-their-index.sql.
alter function list_asset(text, text) set enable_seqscan = off;
alter function list_asset(text, text) set enable_bitmapscan = off;
alter function assets_collected() set enable_seqscan = off;
alter function assets_collected() set enable_bitmapscan = off;

create function assets_retold() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  update listed_assets set folder_id = new.folder_id, mime_type = new.mime_type, created_by = new.created_by, width = new.width,
      height = new.height, approval = new.approval, has_alt_text = new.alt_text <> '', rights_expire_at = new.rights_expire_at,
      allowed_surfaces = new.allowed_surfaces
    where client_id = new.client_id and asset_id = new.id;
  return null;
end $$;
create constraint trigger assets_retold after update of folder_id, mime_type, created_by, width, height, approval, alt_text,
    rights_expire_at, allowed_surfaces on assets
  deferrable initially deferred for each row
  when (new.trashed_at is null and (old.folder_id, old.mime_type, old.created_by, old.width, old.height, old.approval,
      old.alt_text = '', old.rights_expire_at, old.allowed_surfaces)
    is distinct from (new.folder_id, new.mime_type, new.created_by, new.width, new.height, new.approval,
      new.alt_text = '', new.rights_expire_at, new.allowed_surfaces))
  execute function assets_retold();
