-- What was spoken of is listed as well (0135-listed-assets.sql): of what nobody was asked about, the page of reviews shows it.
create or replace function lists_of(its_client text, its_id text, its_sha256 text) returns setof text language sql stable as $$
  select i.collection_id from collection_assets i where i.client_id = its_client and i.asset_id = its_id
  union all select 'used' where exists (select from use_refs r where r.client_id = its_client and r.asset_id = its_id
    and exists (select from uses u where u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
      and u.status <> 'cancelled' offset 0))
  union all select 'twins' where exists (select from assets twin where twin.client_id = its_client
    and twin.sha256 = its_sha256 and twin.id <> its_id and twin.trashed_at is null)
  union all select 'commented' where exists (select from comments c where c.client_id = its_client and c.asset_id = its_id)
$$;

-- `offset 0`: where nothing was counted yet, all of the client's that are outside the trash were gone through.
create function assets_commented() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  if tg_op = 'INSERT' then
    insert into listed_assets
      select client_id, 'commented', id, created_at, title, size_bytes, folder_id, mime_type, created_by, width, height,
        approval, alt_text <> '', rights_expire_at, allowed_surfaces
      from (select * from assets where client_id = new.client_id and id = new.asset_id offset 0) a where trashed_at is null
      on conflict do nothing;
  elsif not exists (select from comments where client_id = old.client_id and asset_id = old.asset_id) then
    delete from listed_assets where client_id = old.client_id and asset_id = old.asset_id and list = 'commented';
  end if;
  return null;
end $$;
create constraint trigger assets_commented after insert or delete on comments deferrable initially deferred
  for each row execute function assets_commented();
