-- Assets that look alike and are all wanted: two of one group are no duplicates of each other.
create table kept_groups (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  -- The later one that has all its assets, and is listed in its place.
  within text collate "C",
  kept_at timestamptz(3) not null default now(),
  kept_by text not null,
  primary key (client_id, id),
  foreign key (client_id, within) references kept_groups (client_id, id) on delete set null (within)
);
create index kept_groups_within on kept_groups (client_id, within) where within is not null;

create table kept_group_assets (
  client_id text collate "C" not null,
  group_id text collate "C" not null,
  asset_id text collate "C" not null,
  primary key (client_id, asset_id, group_id),
  foreign key (client_id, group_id) references kept_groups (client_id, id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index kept_group_assets_of on kept_group_assets (client_id, group_id, asset_id);

-- One asset alone is no group.
create function kept_group_left() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  delete from kept_groups where client_id = old.client_id and id = old.group_id and (
    select count(*) from (select from kept_group_assets where client_id = old.client_id and group_id = old.group_id limit 2) as its) < 2;
  return null;
end $$;
create trigger kept_group_left after delete on kept_group_assets for each row execute function kept_group_left();

-- Somebody has looked at the file that was there: another is looked at anew.
create function assets_kept_no_more() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  delete from kept_group_assets where client_id = new.client_id and asset_id = new.id;
  return null;
end $$;
create trigger assets_kept_no_more after update of version on assets for each row
  when (old.version <> new.version) execute function assets_kept_no_more();
