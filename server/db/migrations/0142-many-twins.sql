-- As in 0135-listed-assets.sql; of a file that is there a thousand times not each is asked for whenever another comes. Of many, those of this
-- change list themselves, and those of before are listed, unless there was but one.
create function unlisted_twin(its_client text, its_id text, its_sha256 text) returns text language plpgsql stable as $$
declare
  ids text[] := array(select id from assets where client_id = its_client and sha256 = its_sha256 and id <> its_id
    and trashed_at is null limit 101);
begin
  if cardinality(ids) > 100 then
    ids := array(select id from assets where client_id = its_client and sha256 = its_sha256 and id <> its_id
      and trashed_at is null and xmin <> pg_current_xact_id()::xid limit 2);
    return case cardinality(ids) when 1 then ids[1] end;
  end if;
  return case cardinality(ids) when 1 then ids[1] else (select min(id) from unnest(ids) as id where not exists (
    select from listed_assets l where l.client_id = its_client and l.asset_id = id and l.list = 'twins')) end;
end $$;

create or replace function assets_listed() returns trigger language plpgsql as $$
declare
  other text;
begin
  if new.trashed_at is not null then
    delete from listed_assets where client_id = new.client_id and asset_id = new.id;
  elsif tg_op = 'UPDATE' and old.trashed_at is null and old.sha256 is not distinct from new.sha256 then
    update listed_assets set created_at = new.created_at, title = new.title, size_bytes = new.size_bytes
      where client_id = new.client_id and asset_id = new.id;
    return null;
  elsif tg_op = 'UPDATE' or exists (select from assets where client_id = new.client_id and sha256 = new.sha256
    and id <> new.id and trashed_at is null) then
    perform list_asset(new.client_id, new.id);
  else
    return null;
  end if;
  -- Another that has a twin only now, or none any more.
  for other in
    select unlisted_twin(new.client_id, new.id, its.sha256) from (select distinct sha256
      from unnest(array[old.sha256, new.sha256]) as sha256 where sha256 is not null) as its
  loop
    if other is not null then perform list_asset(new.client_id, other); end if;
  end loop;
  return null;
end $$;
