-- The rows that one attempt left under several names, so that it can be taken back whole.
alter table login_attempts add column attempt uuid;
create index login_attempts_attempt on login_attempts (attempt);
