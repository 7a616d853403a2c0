-- As in 0140-words-by-their-index.sql: a plan made while a list was short read all of it for each asset, and still did when it was long.
alter function list_asset(text, text) set enable_seqscan = off;
alter function list_asset(text, text) set enable_bitmapscan = off;
alter function assets_listed() set enable_seqscan = off;
alter function assets_listed() set enable_bitmapscan = off;
alter function assets_unlisted() set enable_seqscan = off;
alter function assets_unlisted() set enable_bitmapscan = off;
alter function assets_collected() set enable_seqscan = off;
alter function assets_collected() set enable_bitmapscan = off;
alter function unlisted_twin(text, text, text) set enable_seqscan = off;
alter function unlisted_twin(text, text, text) set enable_bitmapscan = off;

-- And `offset 0` has each use looked up by its whole key: where nothing was counted yet, all of the client's were gone through.
create or replace function lists_of(its_client text, its_id text, its_sha256 text) returns setof text language sql stable as $$
  select i.collection_id from collection_assets i where i.client_id = its_client and i.asset_id = its_id
  union all select 'used' where exists (select from use_refs r where r.client_id = its_client and r.asset_id = its_id
    and exists (select from uses u where u.client_id = r.client_id and u.kind = r.kind and u.external_id = r.external_id
      and u.status <> 'cancelled' offset 0))
  union all select 'twins' where exists (select from assets twin where twin.client_id = its_client
    and twin.sha256 = its_sha256 and twin.id <> its_id and twin.trashed_at is null)
$$;
