-- Connections that somebody signed in to: until when the token is good, when it is renewed, under whose lease, and
-- when a person has to sign in again at the latest. A pasted token has none of these.
alter table connections
  add column signed_in_at timestamptz(3),
  add column token_expires_at timestamptz(3),
  add column renew_at timestamptz(3),
  add column sign_in_until timestamptz(3),
  add column renewal text collate "C",
  add column renewing_until timestamptz(3);
create index connections_to_renew on connections (renew_at) where renew_at is not null;
create index connections_to_sign_in on connections (sign_in_until) where sign_in_until is not null;

-- People who are at a vendor to sign in, each in one session of theirs. They end with that session.
create table connection_sign_ins (
  client_id text collate "C" not null,
  connection_id text collate "C" not null,
  state_hash text collate "C" not null unique,
  session_hash text collate "C" not null references login_sessions (token_hash) on delete cascade,
  provider text collate "C" not null,
  sealed_verifier text not null,
  expires_at timestamptz(3) not null default now() + interval '10 minutes',
  primary key (client_id, connection_id, session_hash),
  foreign key (client_id, connection_id) references connections (client_id, id) on delete cascade
);
create index connection_sign_ins_age on connection_sign_ins (expires_at);
