-- What triggers list (0135-listed-assets.sql), of what was there before: a few hundred at a time. The counters are held
-- meanwhile, as by any change: whoever is about to end one waits for no more, and lists what it changed itself.
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
        select * from assets where client_id = its_client and id > last_id order by id limit 500
      ), listed as (
        insert into listed_assets select client_id, list, id, created_at, title, size_bytes
        from batch, lists_of(client_id, id, sha256) as list where trashed_at is null on conflict do nothing
      )
      select max(id) into last_id from batch;
      commit;
    end loop;
  end loop;
end $$;
analyze listed_assets;
