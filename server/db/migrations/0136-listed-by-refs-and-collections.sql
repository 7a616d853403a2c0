-- One table after the other (0135-listed-assets.sql), in the order in which everybody writes to them.
create function assets_referred() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.asset_id is not null then perform list_asset(old.client_id, old.asset_id); end if;
  if tg_op <> 'DELETE' and new.asset_id is not null then perform list_asset(new.client_id, new.asset_id); end if;
  return null;
end $$;
create constraint trigger assets_referred after insert or delete or update of asset_id on use_refs
  deferrable initially deferred for each row execute function assets_referred();

create function assets_collected() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from listed_assets where client_id = old.client_id and asset_id = old.asset_id and list = old.collection_id;
  else
    insert into listed_assets select client_id, new.collection_id, id, created_at, title, size_bytes
      from assets where client_id = new.client_id and id = new.asset_id and trashed_at is null on conflict do nothing;
  end if;
  return null;
end $$;
create constraint trigger assets_collected after insert or delete on collection_assets deferrable initially deferred
  for each row execute function assets_collected();
