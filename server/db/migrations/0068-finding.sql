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

-- A better one takes its name: 0077-finding.concurrently.sql.
alter index assets_everywhere rename to assets_everywhere_before;

-- The words there are, for searches in which one is misspelt. A word may stand here twice, and stays when its last asset
-- goes: nobody has to wait for anybody, and what it leads to is looked up as ever. Those of assets that are there:
-- 0110-words-and-tags.concurrently.sql.
create table asset_words (
  client_id text collate "C" not null references clients (id) on delete cascade,
  word text collate "C" not null
);
create function words_in(words text) returns setof text language sql immutable parallel safe as $$
  select distinct word from regexp_split_to_table(words, '[^[:alpha:]]+') as word where length(word) between 3 and 40
$$;
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
