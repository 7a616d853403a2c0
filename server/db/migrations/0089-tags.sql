-- The tags there are, to be offered while one is typed. As with asset_words: a tag may stand here twice, and stays when its
-- last asset goes, so that nobody has to wait for anybody. Those of assets that are there: 0110-words-and-tags.concurrently.sql.
create table asset_tags (
  client_id text collate "C" not null references clients (id) on delete cascade,
  tag_key text collate "C" not null,
  tag text not null
);
create index asset_tags_key on asset_tags (client_id, tag_key);

create function assets_tags() returns trigger language plpgsql as $$
begin
  insert into asset_tags (client_id, tag_key, tag) select new.client_id, lower(given.tag), given.tag from unnest(new.tags) as given (tag)
    where not exists (select from asset_tags known where known.client_id = new.client_id and known.tag_key = lower(given.tag));
  return null;
end $$;
create trigger assets_tags after insert or update of tags on assets
  for each row when (new.tags <> '{}') execute function assets_tags();
