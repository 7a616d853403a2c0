-- The last event that changed the tree of folders: by its number an unchanged tree is known without being read.
-- Kept by the database, for during an upgrade nodes that do not know of it publish events too.
alter table client_counters add column last_folder_event bigint not null default 0;
update client_counters set last_folder_event = last_event;

create function keep_last_folder_event() returns trigger language plpgsql as $$
begin
  update client_counters set last_folder_event = new.id where client_id = new.client_id;
  return null;
end
$$;

create trigger keep_last_folder_event after insert on events
  for each row when (new.type like 'folder.%') execute function keep_last_folder_event();
