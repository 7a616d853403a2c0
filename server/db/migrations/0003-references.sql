alter table assets
  add column rights_expire_at timestamptz(3),
  add column provenance text not null default 'unknown'
    check (provenance in ('camera', 'stock', 'generated', 'unknown'));

-- What the header of each version says, so that a pinned ref stays what it was after a replace.
alter table asset_versions
  add column width integer,
  add column height integer,
  add column duration_seconds double precision,
  add column details jsonb not null default '{}',
  add column media_problem text;
update asset_versions set width = assets.width, height = assets.height,
  duration_seconds = assets.duration_seconds, details = assets.details, media_problem = assets.media_problem
from assets
where assets.client_id = asset_versions.client_id and assets.id = asset_versions.asset_id
  and assets.version = asset_versions.version;

-- Where agents use assets: one row per blog post, social post, business-profile update or website job.
create table uses (
  client_id text collate "C" not null references clients (id) on delete cascade,
  kind text collate "C" not null check (kind in ('blog-post', 'social-post', 'gbp-update', 'website-job')),
  external_id text collate "C" not null,
  status text not null check (status in ('draft', 'scheduled', 'running', 'done', 'cancelled')),
  scheduled_for timestamptz(3),
  title text,
  url text,
  -- Assets that this use has put under Social/Posted; each is put there once.
  filed_asset_ids text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (client_id, kind, external_id)
);
create index uses_by_age on uses (client_id, created_at, kind, external_id);

-- What a use points to, in its order: place 0 is the featured asset, 1 and on are the others. The ref stays as it
-- was written even when its asset is purged.
create table use_refs (
  client_id text collate "C" not null,
  kind text collate "C" not null,
  external_id text collate "C" not null,
  place integer not null,
  asset_ref text collate "C" not null,
  asset_id text collate "C",
  primary key (client_id, kind, external_id, place),
  foreign key (client_id, kind, external_id) references uses (client_id, kind, external_id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete set null (asset_id)
);
create index use_refs_asset on use_refs (client_id, asset_id) where asset_id is not null;
