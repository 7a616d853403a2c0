-- With what it was deleted tells, within the index, what was deleted by itself.
create index concurrently if not exists assets_trash_by_deletion on assets
  (client_id, trashed_at desc, id desc, trashed_with) where trashed_at is not null;
