-- What no column of an asset tells, in each order, without the trash: those that are there twice ('twins'), those that are
-- used ('used'), those of each collection (its id). Those that are there: 0138-listed-assets.concurrently.sql.
create table listed_assets (
  client_id text collate "C" not null,
  list text collate "C" not null,
  asset_id text collate "C" not null,
  created_at timestamptz(3) not null,
  title text not null,
  size_bytes bigint not null,
  primary key (client_id, asset_id, list)
);
create index listed_assets_by_time on listed_assets (client_id, list, created_at, asset_id);
create index listed_assets_by_title on listed_assets (client_id, list, lower(title) collate "C", asset_id);
create index listed_assets_by_size on listed_assets (client_id, list, size_bytes, asset_id);

create function lists_of(its_client text, its_id text, its_sha256 text) returns setof text language sql stable as $$
  select i.collection_id from collection_assets i where i.client_id = its_client and i.asset_id = its_id
  union all select 'used' where exists (select from use_refs r join uses u
    on u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
    where r.client_id = its_client and r.asset_id = its_id and u.status <> 'cancelled')
  union all select 'twins' where exists (select from assets twin where twin.client_id = its_client
    and twin.sha256 = its_sha256 and twin.id <> its_id and twin.trashed_at is null)
$$;

create function list_asset(its_client text, its_id text) returns void language plpgsql as $$
begin
  with wanted as materialized (
    select a.client_id, its.list, a.id, a.created_at, a.title, a.size_bytes
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

-- At the end of a change, when it holds the counters of its client: it sees all that was changed before, and whoever comes
-- later sees this. By then it must wait for no asset, for whoever holds that may wait for the counters: so there is no foreign key.
create function assets_listed() returns trigger language plpgsql as $$
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
    select case count(*) when 1 then min(id) else min(id) filter (where not exists (
      select from listed_assets l where l.client_id = new.client_id and l.asset_id = id and l.list = 'twins')) end
    from assets where client_id = new.client_id and sha256 in (old.sha256, new.sha256) and id <> new.id and trashed_at is null
    group by sha256
  loop
    perform list_asset(new.client_id, other);
  end loop;
  return null;
end $$;
create constraint trigger assets_listed after insert on assets deferrable initially deferred
  for each row when (new.sha256 is not null and new.trashed_at is null) execute function assets_listed();
create constraint trigger assets_relisted after update of trashed_at, created_at, title, size_bytes, sha256 on assets
  deferrable initially deferred for each row
  when ((old.trashed_at, old.created_at, old.title, old.size_bytes, old.sha256)
    is distinct from (new.trashed_at, new.created_at, new.title, new.size_bytes, new.sha256))
  execute function assets_listed();

create function assets_unlisted() returns trigger language plpgsql as $$
begin
  delete from listed_assets where client_id = old.client_id and asset_id = old.id;
  return null;
end $$;
create constraint trigger assets_unlisted after delete on assets deferrable initially deferred
  for each row when (old.trashed_at is null) execute function assets_unlisted();
