-- For each version of a merged asset that leads on, the version of the other that it leads to; null: the current one, whichever that is.
-- Without pins, of merges from before, all lead to the current one.
alter table merged_assets add column pins jsonb;

create function pins_through(pins jsonb, next jsonb) returns jsonb language sql immutable as $$
  select case when pins is not null then coalesce((
    select jsonb_object_agg(key, case when next is null or value = 'null' then 'null' else next -> value::text end)
    from jsonb_each(pins) where next is null or value = 'null' or next ? value::text), '{}') end
$$;

-- Whoever led to an asset that goes for good leads from now on to where that one led itself.
create function assets_lead_on() returns trigger language plpgsql as $$
begin
  update merged_assets led set into_id = next.into_id, pins = pins_through(led.pins, next.pins) from merged_assets next
    where led.client_id = old.client_id and led.into_id = old.id and next.client_id = old.client_id and next.id = old.id
      and led.id <> next.into_id
      -- It may go in the same step.
      and exists (select from assets a where a.client_id = old.client_id and a.id = next.into_id);
  return old;
end $$;
create trigger assets_lead_on before delete on assets for each row execute function assets_lead_on();
