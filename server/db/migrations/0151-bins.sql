-- Where an asset lies in each order: in a bin of time, of sizes and of titles, and in wider ones around it. An index of them,
-- with all else that is sought, tells which of thousands come first. `server/assets/bins.ts` asks in the same words.
create function time_bin(created_at timestamptz) returns bigint language sql immutable parallel safe
  return floor(extract(epoch from created_at) / 28800)::bigint;
create function size_bin(size_bytes bigint) returns bigint language sql immutable parallel safe
  return floor(32 * ln(greatest(size_bytes, 1)::float8) / ln(2::float8))::bigint;
create function bins_of(created_at timestamptz, title text, size_bytes bigint) returns text[] language sql immutable parallel safe
  return array(
    -- Each is eight times as wide as the one before.
    select 'time ' || level || ' ' || (time_bin(created_at) >> 3 * level) from generate_series(0, 2) as level
    union all select 'size ' || level || ' ' || (size_bin(size_bytes) >> 3 * level) from generate_series(0, 1) as level
    union all select 'title ' || left(lower(title), letters) from generate_series(2, least(6, length(lower(title)))) as letters);
