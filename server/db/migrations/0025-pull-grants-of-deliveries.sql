-- A grant that a delivery made for a target that fetches. It opens nothing once the delivery has come to its end.
alter table pull_grants add column delivery_id text collate "C";
alter table pull_grants add foreign key (client_id, delivery_id) references deliveries (client_id, id) on delete cascade;
create index pull_grants_of_asset on pull_grants (client_id, asset_id, created_at desc, id desc);
create index pull_grants_of_delivery on pull_grants (client_id, delivery_id) where delivery_id is not null;
