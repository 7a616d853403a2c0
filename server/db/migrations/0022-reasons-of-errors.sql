-- Beside each error in words its reason, for a sentence in another language. What was kept before has none.
alter table connections add column last_error_reason jsonb;
alter table deliveries add column last_error_reason jsonb;
alter table webhooks
  add column last_error_reason jsonb,
  add column disabled_code text collate "C" check (disabled_code in ('switched-off', 'gave-up'));
alter table webhook_set_aside add column reason jsonb;
