-- A run that has met the limit of a day and goes on when the next one has begun.
alter table suggestion_runs add column waits_until timestamptz(3);
