-- When a new password or a switch-off last ended all sessions of a user: addresses given out before are dead, too.
alter table users add column sessions_ended_at timestamptz(3);
