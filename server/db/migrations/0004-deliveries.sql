-- A client's account at another system. A removed one stays as a row without secrets: the ledger points to it.
create table connections (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  kind text not null,
  name text not null,
  settings jsonb not null,
  sealed_secrets text,
  status text not null default 'untested' check (status in ('untested', 'connected', 'error')),
  last_checked_at timestamptz(3),
  last_error text,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  primary key (client_id, id)
);

-- The ledger: one row for each form of a version at each connection, so nothing is put there twice.
-- It outlives the asset: what is live elsewhere stays known.
create table deliveries (
  client_id text collate "C" not null,
  id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  connection_id text collate "C" not null,
  rendition text collate "C" not null,
  surface text not null,
  status text not null default 'queued'
    check (status in ('queued', 'preparing', 'sending', 'done', 'failed', 'unknown', 'cancelled', 'removed')),
  attempts integer not null default 0,
  -- Under this name it is sent, and by it an upload whose answer was lost is found again.
  mark text collate "C" not null,
  filename text,
  -- Set before the first byte leaves and cleared when it is sure that nothing came of it.
  sent_at timestamptz(3),
  -- Until then the other system may still be busy with what it was sent.
  look_after timestamptz(3),
  -- What the other system has told us on the way, such as the address to put the bytes at.
  steps jsonb not null default '{}',
  sent_bytes bigint not null default 0,
  total_bytes bigint,
  remote_id text,
  remote_url text,
  last_error text,
  cancel_wanted boolean not null default false,
  replaces text collate "C",
  claim text collate "C",
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (client_id, id),
  unique (client_id, asset_id, version, connection_id, rendition),
  foreign key (client_id, connection_id) references connections (client_id, id) on delete cascade,
  foreign key (client_id, replaces) references deliveries (client_id, id)
);
create index deliveries_newest on deliveries (client_id, created_at desc, id desc);
create index deliveries_open on deliveries (updated_at) where status in ('queued', 'preparing', 'sending');

create table pull_grants (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  token_hash text collate "C" not null unique,
  asset_id text collate "C" not null,
  version integer not null,
  surface text not null,
  target text not null,
  mime_type text not null,
  size_bytes bigint not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  fetch_count integer not null default 0,
  last_fetched_at timestamptz(3),
  last_fetched_from text,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  primary key (client_id, id)
);
create index pull_grants_newest on pull_grants (client_id, created_at desc, id desc);
create index pull_grants_age on pull_grants (expires_at);

create table webhooks (
  id text collate "C" primary key,
  url text not null,
  all_clients boolean not null,
  event_types text[] not null default '{}',
  sealed_secret text not null,
  is_enabled boolean not null default true,
  disabled_reason text,
  failures integer not null default 0,
  failing_since timestamptz(3),
  next_attempt_at timestamptz(3) not null default now(),
  last_error text,
  last_sent_at timestamptz(3),
  lease text collate "C",
  leased_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now()
);

-- How far each webhook has come in each client's events. Of an `all_clients` webhook, a client without a row is new.
create table webhook_cursors (
  client_id text collate "C" not null references clients (id) on delete cascade,
  webhook_id text collate "C" not null references webhooks (id) on delete cascade,
  event_id bigint not null,
  primary key (client_id, webhook_id)
);
create index webhook_cursors_webhook on webhook_cursors (webhook_id);
