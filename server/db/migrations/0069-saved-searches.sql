-- A search under a name: of a person, of a key, or of everybody who sees the client.
create table saved_searches (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  user_id text collate "C" references users (id) on delete cascade,
  key_id text collate "C" references api_keys (id) on delete cascade,
  name text not null check (char_length(name) <= 120),
  search jsonb not null,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (client_id, id),
  check (user_id is null or key_id is null)
);
create index saved_searches_user on saved_searches (user_id) where user_id is not null;
create index saved_searches_key on saved_searches (key_id) where key_id is not null;
