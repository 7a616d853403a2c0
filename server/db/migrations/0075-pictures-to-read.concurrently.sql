-- What is still to be read, client by client.
create index concurrently if not exists asset_versions_to_read
  on asset_versions (client_id, coalesce(text_sought_in, ''), asset_id, version) where mime_type like 'image/%';
