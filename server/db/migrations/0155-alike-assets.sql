-- Assets that look like another, without the trash: few of many, so that nobody goes through all to find them.
-- Those that are there: 0156-alike-assets.concurrently.sql. Of what came and went some may be listed that look like
-- none any more, never the other way round.
create table alike_assets (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  primary key (client_id, asset_id)
);

-- Three bits of 64: then one band of four is the same (0045-collections-and-duplicates.md). At most so many of each band.
-- With a limit that is told each plan looks dearer than one made anew: that took twenty times as long as what it is for.
create function looks_like(its_client text, its_id text, its_hash bit(64), most integer) returns text[]
  language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return array(
    (select a.id from assets a where a.client_id = its_client and a.trashed_at is null and a.perceptual_hash is not null
      and hash_band(a.perceptual_hash, 0) = hash_band(its_hash, 0) and bit_count(a.perceptual_hash # its_hash) <= 3
      and a.id <> its_id limit most)
    union
    (select a.id from assets a where a.client_id = its_client and a.trashed_at is null and a.perceptual_hash is not null
      and hash_band(a.perceptual_hash, 1) = hash_band(its_hash, 1) and bit_count(a.perceptual_hash # its_hash) <= 3
      and a.id <> its_id limit most)
    union
    (select a.id from assets a where a.client_id = its_client and a.trashed_at is null and a.perceptual_hash is not null
      and hash_band(a.perceptual_hash, 2) = hash_band(its_hash, 2) and bit_count(a.perceptual_hash # its_hash) <= 3
      and a.id <> its_id limit most)
    union
    (select a.id from assets a where a.client_id = its_client and a.trashed_at is null and a.perceptual_hash is not null
      and hash_band(a.perceptual_hash, 3) = hash_band(its_hash, 3) and bit_count(a.perceptual_hash # its_hash) <= 3
      and a.id <> its_id limit most));
end $$;

-- At the end of a change, as in 0135-listed-assets.sql.
create function assets_alike() returns trigger language plpgsql set enable_seqscan = off set enable_bitmapscan = off
  set plan_cache_mode = force_generic_plan as $$
declare
  others text[];
begin
  if tg_op <> 'INSERT' and old.trashed_at is null and old.perceptual_hash is not null then
    delete from alike_assets where client_id = old.client_id and asset_id = old.id;
    -- Where there were more than a few, each has others.
    others := looks_like(old.client_id, old.id, old.perceptual_hash, 10);
    delete from alike_assets l using assets a
      where cardinality(others) < 10 and l.client_id = old.client_id and l.asset_id = any(others)
        and a.client_id = l.client_id and a.id = l.asset_id and looks_like(a.client_id, a.id, a.perceptual_hash, 1) = '{}';
  end if;
  if tg_op <> 'DELETE' and new.trashed_at is null and new.perceptual_hash is not null then
    -- Of more than these, one may be passed over that looks like none of the others.
    others := looks_like(new.client_id, new.id, new.perceptual_hash, 50);
    if others <> '{}' then
      insert into alike_assets select new.client_id, unnest(others || new.id) on conflict do nothing;
    end if;
  end if;
  return null;
end $$;
create constraint trigger assets_alike after insert on assets deferrable initially deferred
  for each row when (new.perceptual_hash is not null and new.trashed_at is null) execute function assets_alike();
create constraint trigger assets_alike_again after update of trashed_at, perceptual_hash on assets deferrable initially deferred
  for each row when ((old.trashed_at is null, old.perceptual_hash) is distinct from (new.trashed_at is null, new.perceptual_hash))
  execute function assets_alike();
create constraint trigger assets_alike_no_more after delete on assets deferrable initially deferred
  for each row when (old.perceptual_hash is not null and old.trashed_at is null) execute function assets_alike();
