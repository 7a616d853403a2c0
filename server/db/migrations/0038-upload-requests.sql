-- Addresses by which people without an account send files for one folder.
create table upload_requests (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  token_hash text collate "C" not null unique,
  title text not null check (char_length(title) <= 200),
  note text not null default '' check (char_length(note) <= 2000),
  folder_id text collate "C",
  max_files integer not null,
  max_bytes bigint not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (client_id, id),
  foreign key (client_id, folder_id) references folders (client_id, id) on delete set null (folder_id)
);
create index upload_requests_newest on upload_requests (client_id, created_at desc, id desc);
create index upload_requests_folder on upload_requests (client_id, folder_id);
create index upload_requests_age on upload_requests (expires_at);

-- A guest's file is an upload that nobody has finalized: there is no asset until it is accepted.
alter table upload_sessions
  add column upload_request_id text collate "C",
  -- Where it waits below staging, out of reach of every URL. Null while it is still being sent.
  add column received_as text collate "C",
  add foreign key (client_id, upload_request_id)
    references upload_requests (client_id, id) on delete set null (upload_request_id);
create index upload_sessions_request on upload_sessions (client_id, upload_request_id, created_at desc, id desc)
  where upload_request_id is not null;

-- What its sender said of it, and what was seen of it.
create table guest_files (
  client_id text collate "C" not null,
  upload_id text collate "C" not null,
  sender text not null check (char_length(sender) <= 200),
  note text not null check (char_length(note) <= 2000),
  received_at timestamptz(3),
  width integer,
  height integer,
  duration_seconds double precision,
  has_preview boolean not null default false,
  scanned boolean not null default false,
  primary key (client_id, upload_id),
  foreign key (client_id, upload_id) references upload_sessions (client_id, id) on delete cascade
);
