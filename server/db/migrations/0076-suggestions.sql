-- Whether a model may be asked about the pictures of a client, and in which language its people write. The consent is to one
-- host: should another be set, it is none any more.
create table suggestion_settings (
  client_id text collate "C" primary key references clients (id) on delete cascade,
  mode text not null check (mode in ('off', 'on-request', 'on-upload')),
  host text check (char_length(host) <= 300),
  language text not null default 'en' check (char_length(language) <= 20),
  decided_by text not null,
  decided_at timestamptz(3) not null default now()
);

-- How many pictures a model was asked about on a day: what it costs is the operator's.
create table suggestion_days (
  client_id text collate "C" not null references clients (id) on delete cascade,
  day date not null,
  asked integer not null,
  primary key (client_id, day)
);

create table suggestion_runs (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  state text not null default 'running' check (state in ('running', 'done', 'cancelled', 'stopped')),
  total integer not null default 0,
  done integer not null default 0,
  made integer not null default 0,
  failed integer not null default 0,
  -- {code, detail}: the last thing that went wrong.
  problem jsonb,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  ended_at timestamptz(3),
  primary key (client_id, id)
);
create index suggestion_runs_running on suggestion_runs (client_id) where state = 'running';
create index suggestion_runs_age on suggestion_runs (ended_at);

-- What of a run is still to be asked about.
create table suggestion_wishes (
  client_id text collate "C" not null,
  run_id text collate "C" not null,
  asset_id text collate "C" not null,
  primary key (client_id, run_id, asset_id),
  foreign key (client_id, run_id) references suggestion_runs (client_id, id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index suggestion_wishes_asset on suggestion_wishes (client_id, asset_id);

-- What a model would write of a version. It is nobody's word until a person accepts it, and nothing else reads this table.
create table suggestions (
  client_id text collate "C" not null,
  id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  field text not null check (field in ('title', 'altText', 'tags')),
  words text not null check (char_length(words) <= 4000),
  -- What stood there when the model was asked.
  instead_of text not null,
  model text not null check (char_length(model) <= 200),
  status text not null default 'open' check (status in ('open', 'accepted', 'edited', 'declined')),
  created_at timestamptz(3) not null default now(),
  decided_by text,
  decided_at timestamptz(3),
  primary key (client_id, id),
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create unique index suggestions_open on suggestions (client_id, asset_id, field) where status = 'open';
create index suggestions_asset on suggestions (client_id, asset_id);
create index suggestions_newest on suggestions (client_id, status, created_at desc, id desc);
