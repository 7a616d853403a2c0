-- What a search by meaning needs, made at the start where it is wanted and pgvector is there: see vectors.ts.
-- It may run again on what it has made.

-- A vector for the words of an asset, of length one. Those of two models say nothing of each other.
create table if not exists asset_vectors (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  -- With its dimensions: 'nomic-embed-text:768'.
  model text not null,
  words_sha256 text not null,
  vector halfvec not null,
  primary key (client_id, asset_id),
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);

-- Assets whose words have changed, and how often, so that one that changes while it is looked at stays here.
create table if not exists asset_vectors_due (
  client_id text collate "C" not null,
  asset_id text collate "C" not null,
  times integer not null default 1,
  primary key (client_id, asset_id),
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);

-- How far the assets have come that were there before.
create table if not exists asset_vectors_progress (
  client_id text collate "C" primary key references clients (id) on delete cascade,
  model text not null,
  after_id text collate "C" not null default '',
  is_done boolean not null default false,
  leased_until timestamptz not null default now()
);

-- Whose words may be sent, and where to.
create or replace view ai_consents as
  select client_id, host from suggestion_settings where mode <> 'off' and 'words' = any(sends);

create or replace function assets_vectors_due() returns trigger language plpgsql as $$
begin
  insert into asset_vectors_due as due (client_id, asset_id)
    select new.client_id, new.id where exists (select from ai_consents where client_id = new.client_id)
    on conflict (client_id, asset_id) do update set times = due.times + 1;
  return null;
end $$;
do $$
begin
  if not exists (select from pg_trigger where tgrelid = 'assets'::regclass and tgname = 'assets_vectors_due') then
    create trigger assets_vectors_due after insert or update of title, description, alt_text, tags, original_filename
      on assets for each row execute function assets_vectors_due();
  end if;
end $$;
