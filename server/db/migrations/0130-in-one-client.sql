-- What is looked up, as words of one client. Where the client stood in the index by itself, all it has was gone through
-- for each word of it. `server/assets/sought.ts` asks in the same words.
create function in_client(client_id text, list text[]) returns text[] language sql immutable parallel safe cost 5000
  return array(select client_id || ' ' || item from unnest(list) as item);

-- Of each number three digits in a row.
create function digit_triples(words text) returns text[] language sql immutable parallel safe cost 5000
  return array(select distinct substr(run[1], at, 3)
    from regexp_matches(words, '[0-9]{3,}', 'g') as run, generate_series(1, length(run[1]) - 2) as at);
