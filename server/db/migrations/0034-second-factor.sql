-- A second factor: codes of an app (the secret is sealed, and proven once before it counts), passkeys, and codes for the
-- day both are lost. `has_second_factor` says whether there is one, for the question that every request asks.
alter table users
  add column totp_sealed text,
  add column totp_since timestamptz(3),
  add column totp_last_step bigint,
  add column has_second_factor boolean not null default false;

create table recovery_codes (
  user_id text collate "C" not null references users (id) on delete cascade,
  code_hash text collate "C" not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  credential_id text collate "C" not null unique,
  public_key text not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index passkeys_user on passkeys (user_id);

-- People between two steps: half logged in, or about to show a passkey. What is held here opens nothing by itself.
create table login_steps (
  token_hash text collate "C" primary key,
  purpose text not null check (purpose in ('second-factor', 'passkey-sign-in', 'passkey-new')),
  user_id text collate "C" references users (id) on delete cascade,
  challenge text not null,
  attempts integer not null default 0,
  expires_at timestamptz(3) not null
);
create index login_steps_age on login_steps (expires_at);
create index login_steps_user on login_steps (user_id);

-- Whether a second factor, or what is as good as one, opened it.
alter table login_sessions add column is_strong boolean not null default false;
