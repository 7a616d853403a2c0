-- The 64 bits of how a picture looks, in four bands of sixteen: of two that differ in up to three bits one band is the same
-- in both, of two that differ in up to ten one differs in two at most. So those that look alike are found by indexes:
-- 0077-finding.concurrently.sql.
create function hash_band(hash bit(64), band integer) returns integer language sql immutable parallel safe as $$
  select (substring(hash from band * 16 + 1 for 16))::bit(16)::integer
$$;

-- Whoever kept the ref of an asset that was merged into another is led to that one, also once the first is purged.
create table merged_assets (
  client_id text collate "C" not null,
  id text collate "C" not null,
  into_id text collate "C" not null,
  merged_at timestamptz(3) not null default now(),
  primary key (client_id, id),
  foreign key (client_id, into_id) references assets (client_id, id) on delete cascade,
  check (id <> into_id)
);
create index merged_assets_into on merged_assets (client_id, into_id);
