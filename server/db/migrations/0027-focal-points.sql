-- What a crop keeps in view: guessed when the previews are made, set by a person instead, or chosen for a ratio. Each
-- version has its own; the asset shows those of its current one.
alter table assets
  add column focal_guess jsonb,
  add column focal_point jsonb,
  add column crops jsonb not null default '{}';
alter table asset_versions
  add column focal_guess jsonb,
  add column focal_point jsonb,
  add column crops jsonb not null default '{}';

-- How the file is made that was promised, however the picture is cropped since. What was promised before has none.
-- As text: the order of its members is part of what it is called by.
alter table deliveries add column recipe json;
alter table pull_grants add column recipe json;
