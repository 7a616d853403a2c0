-- What people look after themselves: their language, and a password that somebody else chose for them and must go.
alter table users
  add column language text check (language in ('en', 'de')),
  add column must_change_password boolean not null default false;

-- Each session has a name of its own, so that its owner can end it without knowing its token.
alter table login_sessions
  add column id text collate "C" not null default 'session_0' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 25),
  add column method text collate "C" not null default 'password',
  add column address text,
  add column user_agent text,
  add column last_used_at timestamptz(3) not null default now();
create unique index login_sessions_id on login_sessions (user_id, id);

-- Links that stand for a person for an hour, and once: to set a password, or to prove a new e-mail.
create table login_links (
  token_hash text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  purpose text not null check (purpose in ('reset', 'invitation', 'email')),
  email text,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index login_links_user on login_links (user_id, purpose);
create index login_links_age on login_links (expires_at);
