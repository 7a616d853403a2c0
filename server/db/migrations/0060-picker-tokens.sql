-- Leave to show a person one client's library in a frame of one other site: to read it, within the login it was given in.
create table picker_tokens (
  token_hash text collate "C" primary key,
  session_hash text collate "C" not null references login_sessions (token_hash) on delete cascade,
  client_id text collate "C" not null references clients (id) on delete cascade,
  embedder text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index picker_tokens_session on picker_tokens (session_hash, created_at);
create index picker_tokens_client on picker_tokens (client_id);
create index picker_tokens_age on picker_tokens (expires_at);
