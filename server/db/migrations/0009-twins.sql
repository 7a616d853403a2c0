-- The first asset with the same bytes is the first entry, however many have them.
drop index assets_checksum;
create index assets_checksum on assets (client_id, sha256, id);
