-- What people say of a version: nobody was asked, somebody was, it is approved, or changes are wanted. Each version keeps
-- its own; `assets` repeats that of the current one, as it repeats its file.
alter table asset_versions
  add column approval text not null default 'none' check (approval in ('none', 'pending', 'approved', 'changes-requested')),
  -- Who asked or decided last: a user, or a share link with the name that its guest gave.
  add column approval_by text,
  add column approval_guest text check (char_length(approval_guest) <= 120),
  add column approval_at timestamptz(3),
  add column approval_note text not null default '' check (char_length(approval_note) <= 2000);
alter table assets
  add column approval text not null default 'none' check (approval in ('none', 'pending', 'approved', 'changes-requested'));
create index assets_in_review on assets (client_id, approval, id) where approval <> 'none';

-- Surfaces on which only what is approved may be used.
alter table clients add column approved_only_surfaces text[] not null default '{}';

-- Words about a version: threads, and answers to them.
create table comments (
  client_id text collate "C" not null,
  id text collate "C" not null,
  asset_id text collate "C" not null,
  version integer not null,
  -- Of an answer: the thread it belongs to.
  thread_id text collate "C",
  words text not null check (char_length(words) <= 5000),
  -- A place in the picture, from its upper left corner to its lower right one; a moment of a film.
  pin_x double precision check (pin_x between 0 and 1),
  pin_y double precision check (pin_y between 0 and 1),
  time_ms integer check (time_ms >= 0),
  created_by text not null,
  guest_name text check (char_length(guest_name) <= 120),
  created_at timestamptz(3) not null default now(),
  edited_at timestamptz(3),
  resolved_at timestamptz(3),
  resolved_by text,
  primary key (client_id, id),
  foreign key (client_id, asset_id, version) references asset_versions (client_id, asset_id, version) on delete cascade,
  foreign key (client_id, thread_id) references comments (client_id, id) on delete cascade,
  constraint comments_pin_is_whole check ((pin_x is null) = (pin_y is null)),
  constraint comments_resolved_is_whole check ((resolved_at is null) = (resolved_by is null)),
  constraint comments_answers_have_no_place check (thread_id is null or (pin_x is null and time_ms is null and resolved_at is null))
);
create index comments_newest on comments (client_id, asset_id, created_at desc, id desc);
create index comments_thread on comments (client_id, thread_id);

create table comment_mentions (
  client_id text collate "C" not null,
  comment_id text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade,
  primary key (client_id, comment_id, user_id),
  foreign key (client_id, comment_id) references comments (client_id, id) on delete cascade
);
create index comment_mentions_user on comment_mentions (user_id, client_id);
