-- How often the receiver has refused the next event of this client, and when it is offered again.
alter table webhook_cursors
  add column refusals integer not null default 0,
  add column next_attempt_at timestamptz(3) not null default now();

-- Events that a receiver would not take: passed over, and kept here until they are taken or no longer wanted.
create table webhook_set_aside (
  webhook_id text collate "C" not null references webhooks (id) on delete cascade,
  client_id text collate "C" not null references clients (id) on delete cascade,
  event_id bigint not null,
  error text not null check (length(error) <= 1000),
  set_aside_at timestamptz(3) not null default now(),
  primary key (webhook_id, client_id, event_id)
);
