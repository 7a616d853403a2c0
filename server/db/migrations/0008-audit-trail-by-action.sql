-- The trail is asked for one action, or for all of a kind, however long it has become.
create index audit_trail_action on audit_trail (action, at, id);
create index audit_trail_kind on audit_trail (split_part(action, '.', 1), at, id);
