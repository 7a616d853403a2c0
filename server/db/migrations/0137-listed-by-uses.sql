-- By itself: some write to uses before refs, some after.
create function assets_used() returns trigger language plpgsql as $$
begin
  perform list_asset(client_id, asset_id) from use_refs
    where client_id = new.client_id and kind = new.kind and external_id = new.external_id and asset_id is not null;
  return null;
end $$;
create constraint trigger assets_used after update of status on uses deferrable initially deferred
  for each row when (old.status <> new.status) execute function assets_used();
