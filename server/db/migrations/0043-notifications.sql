-- What people are told of, each of them once for a cause: what happens again counts up, and is unread again.
create table notifications (
  id text collate "C" primary key,
  user_id text collate "C" not null references users (id) on delete cascade,
  client_id text collate "C" not null references clients (id) on delete cascade,
  kind text collate "C" not null,
  cause text collate "C" not null,
  subject text collate "C" not null,
  name text,
  count integer not null,
  -- The event that told of it last; zero for what is no event.
  event_id bigint not null,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  mailed_at timestamptz(3),
  unique (user_id, client_id, kind, cause)
);
create index notifications_newest on notifications (user_id, created_at desc, id desc);
create index notifications_to_mail on notifications (user_id) where read_at is null and mailed_at is null;
create index notifications_client on notifications (client_id);
create index notifications_age on notifications (created_at);

-- How somebody wants to be told of a kind, if not as everybody.
create table notification_settings (
  user_id text collate "C" not null references users (id) on delete cascade,
  kind text collate "C" not null,
  way text not null check (way in ('off', 'app', 'daily', 'at-once')),
  primary key (user_id, kind)
);

-- Up to which event of a client people have been told. Nobody is told of what happened before.
create table notification_cursors (
  client_id text collate "C" primary key references clients (id) on delete cascade,
  event_id bigint not null
);
insert into notification_cursors select client_id, last_event from client_counters;

create index assets_rights_ending on assets (rights_expire_at) where rights_expire_at is not null and trashed_at is null;
