-- What other systems say is bounded where it is kept, whoever keeps it.
update deliveries set remote_url = null where remote_url !~ '^https?://' or length(remote_url) > 2000;
update deliveries set last_error = left(last_error, 1000) where length(last_error) > 1000;
update connections set last_error = left(last_error, 1000) where length(last_error) > 1000;
update webhooks set last_error = left(last_error, 1000) where length(last_error) > 1000;
-- An id that is none stays, so that a person can see what it was; it goes nowhere.
update deliveries set remote_id = left(remote_id, 500) where length(remote_id) > 500;
update deliveries set steps = '{}' where length(steps::text) > 1000000;
alter table deliveries
  add constraint deliveries_remote_id check (length(remote_id) <= 500),
  add constraint deliveries_remote_url check (remote_url ~ '^https?://' and length(remote_url) <= 2000),
  add constraint deliveries_last_error check (length(last_error) <= 1000),
  add constraint deliveries_steps check (length(steps::text) <= 1000000);
alter table connections add constraint connections_last_error check (length(last_error) <= 1000);
alter table webhooks
  add constraint webhooks_url check (url ~ '^https?://' and length(url) <= 2000),
  add constraint webhooks_last_error check (length(last_error) <= 1000);

-- Who asked for it last: nothing more is sent once they may no longer.
alter table deliveries add column asked_by text;
update deliveries set asked_by = created_by;
alter table deliveries alter column asked_by set not null;
