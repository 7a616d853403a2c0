-- How words are compared in a search: without case and accents. Letters that are no letter with a mark stand in the list.
create function folded(words text) returns text language sql immutable parallel safe as $$
  select replace(replace(replace(
    translate(lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')), 'øłđħıŧ', 'oldhit'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;

create or replace function assets_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := folded(concat_ws(' ', new.title, new.description, new.alt_text,
    array_to_string(new.tags, ' '), new.original_filename));
  return new;
end $$;
update assets set search_text = folded(concat_ws(' ', title, description, alt_text,
  array_to_string(tags, ' '), original_filename));

alter table folders add column search_text text generated always as (folded(name)) stored;
