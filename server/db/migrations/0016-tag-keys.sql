-- Tags that differ by case are one tag: looked up by what they have in common, shown as they were written.
create function tag_keys(tags text[]) returns text[] language sql immutable parallel safe
  return array(select lower(tag) from unnest(tags) as tag);

alter table assets add column tag_keys text[] not null generated always as (tag_keys(tags)) stored;

drop index assets_tags;
create index assets_tags on assets using gin (client_id, tag_keys) where trashed_at is null;
