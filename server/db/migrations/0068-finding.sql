-- How a picture stands, and the ratio people call it by, which it may miss by a hundredth. The web app has the same rules.
create function ratio_of(width integer, height integer) returns text language sql immutable parallel safe
  return case
    when height = 0 then null
    when abs(width::float8 / height / 1 - 1) <= 0.01 then '1:1'
    when abs(width::float8 / height / (4::float8 / 5) - 1) <= 0.01 then '4:5'
    when abs(width::float8 / height / (5::float8 / 4) - 1) <= 0.01 then '5:4'
    when abs(width::float8 / height / (3::float8 / 4) - 1) <= 0.01 then '3:4'
    when abs(width::float8 / height / (4::float8 / 3) - 1) <= 0.01 then '4:3'
    when abs(width::float8 / height / (2::float8 / 3) - 1) <= 0.01 then '2:3'
    when abs(width::float8 / height / (3::float8 / 2) - 1) <= 0.01 then '3:2'
    when abs(width::float8 / height / (9::float8 / 16) - 1) <= 0.01 then '9:16'
    when abs(width::float8 / height / (16::float8 / 9) - 1) <= 0.01 then '16:9'
    when abs(width::float8 / height / (1.91::float8 / 1) - 1) <= 0.01 then '1.91:1'
  end;
create function orientation_of(width integer, height integer) returns text language sql immutable parallel safe
  return case
    when ratio_of(width, height) = '1:1' then 'square'
    when width > height then 'landscape'
    when width <= height then 'portrait'
  end;

-- In all folders, in each order there is. What stands behind the id is looked at in the index already: a filter reads no
-- asset that it leaves out.
drop index assets_everywhere;
create index assets_everywhere on assets (client_id, created_at desc, id desc,
  size_bytes, width, height, rights_expire_at) where trashed_at is null;
create index assets_all_by_title on assets (client_id, lower(title) collate "C", id,
  split_part(mime_type, '/', 1), orientation_of(width, height), ratio_of(width, height), approval, created_by, created_at,
  size_bytes, width, height, rights_expire_at) where trashed_at is null;
create index assets_all_by_size on assets (client_id, size_bytes desc, id desc,
  split_part(mime_type, '/', 1), orientation_of(width, height), ratio_of(width, height), approval, created_by, created_at,
  width, height, rights_expire_at) where trashed_at is null;

-- Each filter that picks out few, in the order that people see first: a page of it is read as it stands there.
create index assets_of_kind on assets (client_id, split_part(mime_type, '/', 1), created_at desc, id desc) where trashed_at is null;
create index assets_of_type on assets (client_id, mime_type, created_at desc, id desc) where trashed_at is null;
create index assets_by_uploader on assets (client_id, created_by, created_at desc, id desc) where trashed_at is null;
create index assets_by_orientation on assets (client_id, orientation_of(width, height), created_at desc, id desc) where trashed_at is null;
create index assets_by_ratio on assets (client_id, ratio_of(width, height), created_at desc, id desc) where trashed_at is null;
create index assets_by_approval on assets (client_id, approval, created_at desc, id desc) where trashed_at is null;
create index assets_without_alt_text on assets (client_id, created_at desc, id desc) where trashed_at is null and alt_text = '';
create index assets_with_rights_ending on assets (client_id, rights_expire_at) where trashed_at is null and rights_expire_at is not null;

-- The words there are, for searches in which one is misspelt. A word may stand here twice, and stays when its last asset
-- goes: nobody has to wait for anybody, and what it leads to is looked up as ever.
create table asset_words (
  client_id text collate "C" not null references clients (id) on delete cascade,
  word text collate "C" not null
);
create function words_in(words text) returns setof text language sql immutable parallel safe as $$
  select distinct word from regexp_split_to_table(words, '[^[:alpha:]]+') as word where length(word) between 3 and 40
$$;
insert into asset_words select distinct client_id, word from assets, words_in(search_text) as word;
create index asset_words_word on asset_words (client_id, word);
create index asset_words_alike on asset_words using gin (client_id, word gin_trgm_ops);

create function assets_words() returns trigger language plpgsql as $$
begin
  insert into asset_words select new.client_id, word from words_in(new.search_text) as word (word)
    where not exists (select from asset_words known where known.client_id = new.client_id and known.word = word.word);
  return null;
end $$;
create trigger assets_words after insert or update of title, description, alt_text, tags, original_filename
  on assets for each row execute function assets_words();
