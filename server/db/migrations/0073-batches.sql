-- One thing that is done to all that a search found, as one job.
create table batches (
  client_id text collate "C" not null references clients (id) on delete cascade,
  id text collate "C" not null,
  -- The action and its words; of an undo, the action that it takes back.
  change jsonb not null,
  undoes text collate "C",
  state text not null default 'running' check (state in ('running', 'done', 'cancelled')),
  total integer not null default 0,
  done integer not null default 0,
  changed integer not null default 0,
  refused integer not null default 0,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  ended_at timestamptz(3),
  primary key (client_id, id),
  foreign key (client_id, undoes) references batches (client_id, id) on delete cascade
);
create unique index batches_undone_once on batches (client_id, undoes) where undoes is not null;
create index batches_newest on batches (client_id, created_by, created_at desc, id desc);
create index batches_running on batches (client_id) where state = 'running';
create index batches_age on batches (ended_at);

-- Which assets, as the search found them; each chunk is done in one transaction.
create table batch_chunks (
  client_id text collate "C" not null,
  batch_id text collate "C" not null,
  number integer not null,
  asset_ids text[] not null,
  done_at timestamptz(3),
  -- [{id, before, after}]: what the action changes, so that it can be taken back to the letter.
  changed jsonb not null default '[]',
  -- [{assetId, code, detail}]
  refused jsonb not null default '[]',
  primary key (client_id, batch_id, number),
  foreign key (client_id, batch_id) references batches (client_id, id) on delete cascade
);
create index batch_chunks_waiting on batch_chunks (client_id, batch_id, number) where done_at is null;
