-- What triggers list (0155-alike-assets.sql), of what was there before: a few hundred at a time. The counters are held
-- meanwhile, as by any change.
do $$
declare
  its_client text;
  last_id text;
begin
  for its_client in select id from clients order by id loop
    last_id := '';
    while last_id is not null loop
      perform from client_counters where client_id = its_client for update;
      with batch as materialized (
        select client_id, id, perceptual_hash from assets
        where client_id = its_client and id > last_id and trashed_at is null and perceptual_hash is not null order by id limit 500
      ), listed as (
        insert into alike_assets select client_id, id from batch where looks_like(client_id, id, perceptual_hash, 1) <> '{}'
        on conflict do nothing
      )
      select max(id) into last_id from batch;
      commit;
    end loop;
  end loop;
end $$;
analyze alike_assets;
