-- The assets of each tag in the order of time, without those in the trash, and what other orders look at: however rare or
-- old a tag is, its newest are read as they stand here, and all of them are put in another order without being read.
-- Those that are there: 0110-words-and-tags.concurrently.sql.
create table tagged_assets (
  client_id text collate "C" not null,
  tag_key text collate "C" not null,
  created_at timestamptz(3) not null,
  asset_id text collate "C" not null,
  title text not null,
  size_bytes bigint not null,
  primary key (client_id, tag_key, created_at, asset_id) include (title, size_bytes)
);

create function assets_tagged() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.trashed_at is null then
    delete from tagged_assets where client_id = old.client_id and tag_key = any(old.tag_keys)
      and created_at = old.created_at and asset_id = old.id;
  end if;
  if tg_op <> 'DELETE' and new.trashed_at is null then
    insert into tagged_assets select distinct new.client_id, tag_key, new.created_at, new.id, new.title, new.size_bytes
      from unnest(new.tag_keys) as tag_key;
  end if;
  return null;
end $$;
create trigger assets_tagged after insert on assets
  for each row when (new.tags <> '{}') execute function assets_tagged();
create trigger assets_retagged after update of tags, trashed_at, created_at, title, size_bytes on assets for each row
  when ((old.tags, old.trashed_at, old.created_at, old.title, old.size_bytes)
    is distinct from (new.tags, new.trashed_at, new.created_at, new.title, new.size_bytes))
  execute function assets_tagged();
create trigger assets_untagged after delete on assets
  for each row when (old.tags <> '{}') execute function assets_tagged();
