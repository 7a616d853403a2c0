-- Each client of a webhook is sent its events by itself: who sends them now, and whether the last one got through.
alter table webhook_cursors
  add column failures integer not null default 0,
  add column failing_since timestamptz(3),
  add column last_error text check (length(last_error) <= 1000),
  add column last_error_reason jsonb,
  add column lease text collate "C",
  add column leased_until timestamptz(3);

-- What failed is tried again at once, and what goes wrong from here on stands with its client.
alter table webhooks
  drop column failures,
  drop column failing_since,
  drop column last_error,
  drop column last_error_reason,
  drop column lease,
  drop column leased_until,
  add column previous_sealed_secret text,
  add column previous_secret_ends_at timestamptz(3),
  drop constraint webhooks_disabled_code_check,
  add constraint webhooks_disabled_code_check check (disabled_code in ('switched-off', 'gave-up', 'gone'));
update webhooks set next_attempt_at = now();

-- What was sent and what came back, for as long as it helps to find out what went wrong.
create table webhook_attempts (
  id bigint generated always as identity primary key,
  webhook_id text collate "C" not null references webhooks (id) on delete cascade,
  client_id text collate "C" references clients (id) on delete cascade,
  event_id bigint,
  type text not null,
  attempted_at timestamptz(3) not null default now(),
  milliseconds integer not null,
  status integer,
  error text check (length(error) <= 1000),
  reason jsonb,
  answer text check (length(answer) <= 1000)
);
create index webhook_attempts_newest on webhook_attempts (webhook_id, id desc);
create index webhook_attempts_failed on webhook_attempts (webhook_id, id desc) where error is not null;
create index webhook_attempts_age on webhook_attempts (attempted_at);
create index webhook_attempts_client on webhook_attempts (client_id);
