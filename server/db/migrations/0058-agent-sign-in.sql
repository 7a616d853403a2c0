-- An agent that a person signed in is a key without a secret of its own: it may do what the person chose, for as long as
-- the person may do it themselves, and it goes with them. Its tokens lead to it.
alter table api_keys
  alter column token_hash drop not null,
  add column user_id text collate "C" references users (id) on delete cascade,
  add column permissions text[],
  add column app_id text collate "C",
  add column app_host text,
  add constraint api_keys_secret_or_person check (
    num_nulls(user_id, permissions, app_id, app_host) in (0, 4) and (user_id is null) = (token_hash is not null));
create index api_keys_user on api_keys (user_id) where user_id is not null;
create index api_keys_app on api_keys (app_id) where app_id is not null;

-- Programs that have registered to ask people for access (OAuth's clients). Those with a document of their own are not here.
create table agent_apps (
  id text collate "C" primary key,
  name text not null check (length(name) between 1 and 120),
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 10),
  network text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3)
);
create index agent_apps_network on agent_apps (network, created_at);
create index agent_apps_unused on agent_apps (created_at) where used_at is null;

-- A used one is kept for a while: who brings it again ends what came of it. So is a used token.
create table agent_codes (
  code_hash text collate "C" primary key,
  key_id text collate "C" not null references api_keys (id) on delete cascade,
  redirect_uri text not null,
  challenge text collate "C" not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index agent_codes_key on agent_codes (key_id);
create index agent_codes_age on agent_codes (expires_at);

create table agent_tokens (
  token_hash text collate "C" primary key,
  key_id text collate "C" not null references api_keys (id) on delete cascade,
  purpose text collate "C" not null check (purpose in ('access', 'refresh')),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index agent_tokens_key on agent_tokens (key_id);
create index agent_tokens_age on agent_tokens (expires_at);
