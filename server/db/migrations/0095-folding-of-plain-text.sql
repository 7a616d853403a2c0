-- Most texts have neither accents nor other letters than those of English: of these only the case is folded, for looking for
-- the rest costs far more.
create or replace function folded(words text) returns text language sql immutable parallel safe as $$
  select case when octet_length(words) = char_length(words) then lower(words) else
    replace(replace(replace(
      translate(lower(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g')), 'øłđħıŧ', 'oldhit'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end
$$;
