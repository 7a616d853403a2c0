-- Every run of letters, and of signs, is a word that is known; '' stands for those that are too long to be kept. So whatever
-- is searched for, the words it is part of are known beforehand, and what has one of these is looked up in an index. Numbers
-- are not kept: nearly each file has one of its own. Those of assets that are there: 0110-words-and-tags.concurrently.sql.
create or replace function words_in(words text) returns setof text language sql immutable parallel safe as $$
  select distinct case when length(run[1]) > 40 then '' else run[1] end
  from regexp_matches(words, '[[:alpha:]]+|[^[:alpha:]0-9[:space:]]+', 'g') as run
$$;

-- What it costs is said, or the planner would rather ask each asset for its words than the index for its assets.
create function word_list(words text) returns text[] language sql immutable parallel safe cost 5000
  return array(select words_in(words));
create function digits_in(words text) returns text language sql immutable parallel safe cost 5000
  return regexp_replace(words, '[^0-9]+', ' ', 'g');
alter function facets_of(text, text, integer, integer, text, text, text[]) cost 5000;
