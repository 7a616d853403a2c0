-- A picture that a target takes as it is used to be encoded anew, under the names of these three recipes (JPEG, PNG, WebP).
-- It now leaves as it is, under this name: asked for again, it is the delivery that there is, and no second copy.
update deliveries d
set rendition = 'original'
where rendition in ('rendition-0ebf89b97f68524adb412600', 'rendition-126a176b8a3df3a10dce66fd', 'rendition-973de622078a68492ca8917c')
  and not exists (
    select from deliveries o
    where o.client_id = d.client_id and o.asset_id = d.asset_id and o.version = d.version
      and o.connection_id = d.connection_id and o.rendition = 'original'
  );
