create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table clients (
  id text collate "C" primary key,
  name text not null,
  quota_bytes bigint not null check (quota_bytes >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- The numbers of a client that change with nearly every write. Locked last in every transaction, so that
-- events are numbered in the order they are committed and two writers never wait for each other in a ring.
create table client_counters (
  client_id text collate "C" primary key references clients (id) on delete cascade,
  stored_bytes bigint not null default 0 check (stored_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  last_event bigint not null default 0
);

create table users (
  id text collate "C" primary key,
  email text not null,
  name text not null,
  role text not null check (role in ('admin', 'operator', 'viewer', 'client')),
  is_active boolean not null default true,
  all_clients boolean not null default false,
  password_hash text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index users_email on users (lower(email));

create table user_clients (
  client_id text collate "C" not null references clients (id) on delete cascade,
  user_id text collate "C" not null references users (id) on delete cascade,
  primary key (client_id, user_id)
);
create index user_clients_user on user_clients (user_id);

create table login_sessions (
  token_hash text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index login_sessions_user on login_sessions (user_id);

create table login_attempts (
  bucket text collate "C" not null,
  attempted_at timestamptz(3) not null default now()
);
create index login_attempts_bucket on login_attempts (bucket, attempted_at);

create table api_keys (
  id text collate "C" primary key,
  name text not null,
  role text not null check (role in ('agent', 'social-agent')),
  token_hash text collate "C" not null unique,
  created_by text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);

create table api_key_clients (
  client_id text collate "C" not null references clients (id) on delete cascade,
  key_id text collate "C" not null references api_keys (id) on delete cascade,
  primary key (client_id, key_id)
);
create index api_key_clients_key on api_key_clients (key_id);

-- Answers kept for callers that ask again with the same Idempotency-Key. Sealed: some hold a secret shown once.
create table idempotent_answers (
  principal_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint text collate "C" not null,
  sealed_answer text,
  created_at timestamptz(3) not null default now(),
  primary key (principal_id, key)
);
create index idempotent_answers_age on idempotent_answers (created_at);

create table folders (
  client_id text collate "C" not null references clients (id),
  id text collate "C" not null,
  parent_id text collate "C",
  name text not null,
  name_key text collate "C" not null,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  trashed_at timestamptz(3),
  trashed_with text collate "C",
  primary key (client_id, id),
  foreign key (client_id, parent_id) references folders (client_id, id) on delete set null (parent_id)
);
create unique index folders_name on folders (client_id, parent_id, name_key) nulls not distinct where trashed_at is null;
create index folders_parent on folders (client_id, parent_id);
create index folders_trash on folders (trashed_at) where trashed_at is not null;

create table assets (
  client_id text collate "C" not null references clients (id),
  id text collate "C" not null,
  folder_id text collate "C",
  title text not null,
  description text not null default '',
  alt_text text not null default '',
  tags text[] not null default '{}',
  allowed_surfaces text[] not null default '{}',
  original_filename text not null,
  mime_type text not null,
  size_bytes bigint not null,
  sha256 text collate "C",
  width integer,
  height integer,
  duration_seconds double precision,
  details jsonb not null default '{}',
  version integer not null default 1,
  media_state text not null default 'pending' check (media_state in ('pending', 'ready', 'failed')),
  placeholder text,
  media_problem text,
  storyboard jsonb,
  perceptual_hash bit(64),
  search_text text not null default '',
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  trashed_at timestamptz(3),
  trashed_with text collate "C",
  primary key (client_id, id),
  foreign key (client_id, folder_id) references folders (client_id, id) on delete set null (folder_id)
);
create index assets_in_folder on assets (client_id, folder_id, created_at desc, id desc) where trashed_at is null;
create index assets_by_title on assets (client_id, folder_id, lower(title) collate "C", id) where trashed_at is null;
create index assets_by_size on assets (client_id, folder_id, size_bytes desc, id desc) where trashed_at is null;
create index assets_everywhere on assets (client_id, created_at desc, id desc) where trashed_at is null;
create index assets_search on assets using gin (client_id, search_text gin_trgm_ops) where trashed_at is null;
create index assets_tags on assets using gin (client_id, tags) where trashed_at is null;
create index assets_checksum on assets (client_id, sha256);
create index assets_trash on assets (trashed_at) where trashed_at is not null;

-- One place for what search looks at, however a row is written.
create function assets_search_text() returns trigger language plpgsql as $$
begin
  new.search_text := lower(concat_ws(' ', new.title, new.description, new.alt_text,
    array_to_string(new.tags, ' '), new.original_filename));
  return new;
end $$;
create trigger assets_search_text before insert or update of title, description, alt_text, tags, original_filename
  on assets for each row execute function assets_search_text();

create table upload_sessions (
  client_id text collate "C" not null references clients (id),
  id text collate "C" not null,
  token_hash text collate "C" not null unique,
  asset_id text collate "C" not null,
  replaces_asset boolean not null default false,
  folder_id text collate "C",
  original_filename text not null,
  mime_type text not null,
  expected_size_bytes bigint not null,
  expected_sha256 text collate "C",
  part_size_bytes bigint,
  status text not null default 'open' check (status in ('open', 'finalized', 'rejected', 'expired', 'aborted')),
  problem jsonb,
  claim text collate "C",
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  expires_at timestamptz(3) not null,
  urls_expire_at timestamptz(3) not null,
  -- When what may lie in staging can be removed for good; null once it is done.
  sweep_at timestamptz(3) not null,
  swept boolean not null default false,
  primary key (client_id, id)
);
create index upload_sessions_sweep on upload_sessions (sweep_at) where not swept;

create table asset_versions (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  upload_id text collate "C" not null,
  -- Everything made of this version lies below this prefix; the file itself is `original`.
  object_prefix text collate "C" not null,
  original_filename text not null,
  mime_type text not null,
  size_bytes bigint not null,
  sha256 text collate "C",
  crc32 bigint,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (client_id, asset_id, version),
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);

create table events (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id bigint not null,
  type text not null,
  subject text not null,
  actor text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  primary key (client_id, id)
);
create index events_age on events (created_at);

create table agent_runtimes (
  agent_id text collate "C" primary key,
  client_id text collate "C" not null references clients (id) on delete cascade,
  key_id text collate "C" not null,
  state text not null check (state in ('running', 'idle', 'stopped')),
  current_job text,
  recent_runs jsonb not null default '[]',
  heartbeat_at timestamptz(3) not null default now()
);

create table ads_connections (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  provider text not null,
  status text not null,
  account text,
  scopes text[] not null default '{}',
  expires_at timestamptz(3),
  last_sync_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (client_id, id)
);
create unique index ads_connections_id on ads_connections (id);

create table landing_pages (
  slug text collate "C" primary key,
  client_id text collate "C" not null references clients (id) on delete cascade,
  url text not null,
  title text not null,
  updated_at timestamptz(3) not null default now()
);
