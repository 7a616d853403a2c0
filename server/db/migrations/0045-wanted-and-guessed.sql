-- Which part of a film and which ratio of a picture were asked for: the next version is brought in the same way.
alter table deliveries add column wanted jsonb not null default '{}';
update deliveries set wanted = jsonb_build_object('range', recipe -> 'range') where recipe -> 'range' is not null;

-- Pictures from before focal points were guessed get their guess bit by bit. Of some there is none to be had.
alter table asset_versions add column focal_tried boolean not null default false;
create index asset_versions_unguessed on asset_versions (client_id, asset_id, version)
  where focal_guess is null and not focal_tried and mime_type like 'image/%';
