-- What runs without anybody asking: how the last run of each scheduled job ended, and which processes take jobs.
create table scheduled_runs (
  name text collate "C" primary key,
  known_since timestamptz(3) not null default now(),
  last_succeeded_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_error text
);
create table job_workers (
  id text collate "C" primary key,
  host text not null,
  beat_at timestamptz(3) not null default now()
);
-- What still waits for a job, so that the sweep finds it without reading every asset.
create index assets_pending on assets (client_id, id) where media_state = 'pending';
create index asset_versions_without_checksum on asset_versions (client_id, asset_id) where sha256 is null;
