-- A legal hold: until it is lifted, nothing of the asset can be removed for good.
alter table assets
  add column held_at timestamptz(3),
  add column held_by text,
  add column hold_reason text check (length(hold_reason) <= 1000),
  add constraint assets_hold_is_whole check ((held_at is null) = (hold_reason is null) and (held_at is null) = (held_by is null));
