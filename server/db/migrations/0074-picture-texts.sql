-- The text in a picture, of each version that has some. It is searched with the words that people gave, of which it is kept
-- apart by a sign that no text has: a match in it counts for less.
create table picture_texts (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  text text not null check (length(text) <= 20000),
  read_at timestamptz(3) not null default now(),
  primary key (client_id, asset_id, version),
  foreign key (client_id, asset_id, version) references asset_versions (client_id, asset_id, version) on delete cascade
);

-- The languages in which it was looked for text. Null: it was not, yet.
alter table asset_versions add column text_sought_in text collate "C";

-- Null: those of the installation. None: no text is looked for.
alter table clients add column ocr_languages text[];

create or replace function assets_search_text() returns trigger language plpgsql as $$
declare
  in_picture text;
begin
  if tg_op = 'UPDATE' then
    select nullif(text, '') into in_picture from picture_texts
      where client_id = new.client_id and asset_id = new.id and version = new.version;
  end if;
  new.search_text := folded(concat_ws(' ', new.title, new.description, new.alt_text,
    array_to_string(new.tags, ' '), new.original_filename)) || coalesce(E'\x1e' || folded(in_picture), '');
  return new;
end $$;

-- Whatever writes the text of a version, the search for its asset knows it.
create function picture_texts_searched() returns trigger language plpgsql as $$
begin
  update assets set original_filename = original_filename
    where client_id = new.client_id and id = new.asset_id and version = new.version;
  return null;
end $$;
create trigger picture_texts_searched after insert or update of text on picture_texts
  for each row execute function picture_texts_searched();
