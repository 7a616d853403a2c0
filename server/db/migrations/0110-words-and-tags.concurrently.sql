-- What triggers write of each asset (0068-finding.sql, 0089-tags.sql, 0092-tagged-assets.sql), of those that were there
-- before: a few hundred at a time, and whoever changes one of these waits for no more. They are held meanwhile: a tag that
-- somebody takes away must not come back.
do $$
declare
  last_client text := '';
  last_id text := '';
begin
  loop
    with held as materialized (
      select client_id, id, created_at, trashed_at, title, size_bytes, tags, tag_keys, search_text from assets
      where (client_id, id) > (last_client, last_id) order by client_id, id limit 500 for share
    ), tagged as (
      insert into tagged_assets select distinct client_id, tag_key, created_at, id, title, size_bytes
      from held, unnest(tag_keys) as tag_key where trashed_at is null on conflict do nothing
    ), known_tags as (
      insert into asset_tags (client_id, tag_key, tag)
      select distinct on (client_id, lower(its.tag)) client_id, lower(its.tag), its.tag from held, unnest(tags) as its (tag)
      where not exists (select from asset_tags t where t.client_id = held.client_id and t.tag_key = lower(its.tag))
    ), known_words as (
      insert into asset_words select distinct client_id, its.word from held, words_in(search_text) as its (word)
      where not exists (select from asset_words w where w.client_id = held.client_id and w.word = its.word)
    )
    select client_id, id into last_client, last_id from held order by client_id desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
end $$;
analyze tagged_assets, asset_tags, asset_words;
