-- Ever wider ranges of bins of an order, from one on (0151-bins.sql). As functions: they are set up by the searches that ask
-- for them, and not by each that might.
create function ranges_of_numbers(name text, bin bigint, levels integer, step integer)
returns table (nth integer, is_widest boolean, items text[]) language plpgsql immutable parallel safe rows 6 as $$
begin
  return query select 2 * level + width / 24, level = levels - 1, array_agg(name || ' ' || level || ' ' || ((bin >> 3 * level) + step * n))
    from generate_series(0, levels - 1) as level, (values (8), (24)) as wide (width), generate_series(0, width - 1) as n
    where level < levels - 1 or width = 8 group by level, width;
end $$;
create function ranges_of_titles(title text, step integer)
returns table (nth integer, is_widest boolean, items text[]) language plpgsql immutable parallel safe rows 5 as $$
begin
  return query select 6 - letters, letters = 2, array_agg('title ' || left(lower(title), letters - 1) || chr(code))
    from generate_series(2, least(6, length(lower(title)))) as letters, generate_series(0, 7) as n,
      lateral (select ascii(substr(lower(title), letters, 1)) + step * n as code) as letter
    where code between 1 and 55295 or code between 57344 and 1114111 group by letters;
end $$;
