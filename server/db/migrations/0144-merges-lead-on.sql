-- Whoever led to an asset that goes for good leads from now on to where that one led itself.
create function assets_lead_on() returns trigger language plpgsql as $$
begin
  update merged_assets led set into_id = next.into_id from merged_assets next
    where led.client_id = old.client_id and led.into_id = old.id and next.client_id = old.client_id and next.id = old.id
      and led.id <> next.into_id
      -- It may go in the same step.
      and exists (select from assets a where a.client_id = old.client_id and a.id = next.into_id);
  return old;
end $$;
create trigger assets_lead_on before delete on assets for each row execute function assets_lead_on();
