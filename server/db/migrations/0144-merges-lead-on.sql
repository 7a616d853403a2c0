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

-- As leave_selections (0143-stand-ins-in-selections.sql), the other way.
create function join_selections(its_client text, stand_in text, for_ids text[]) returns void language sql as $$
  insert into share_link_assets as there (client_id, share_link_id, asset_id, place, stands_for)
    select client_id, share_link_id, stand_in, min(place), array_agg(asset_id) from share_link_assets
    where client_id = its_client and asset_id = any(for_ids) group by client_id, share_link_id
    on conflict (client_id, share_link_id, asset_id) do update set stands_for = there.stands_for || excluded.stands_for
      where there.stands_for is not null and not there.stands_for @> excluded.stands_for;
$$;
