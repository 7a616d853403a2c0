-- An asset that a merge has put into a collection leaves it once those that it stands there for are restored. Null: put there by hand.
alter table collection_assets add column stands_for text[];
alter table deleted_collection_assets add column stands_for text[];

create function collection_name(its_client text, its_id text) returns text language sql stable as $$
  select name from collections where client_id = its_client and id = its_id
$$;
