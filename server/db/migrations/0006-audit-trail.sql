-- Who did what to which thing, and from where. Only ever added to, and never emptied: it outlives what it tells of,
-- so it refers to nothing. Rows without a client are about what belongs to none, such as users and keys.
create table audit_trail (
  at timestamptz(3) not null default now(),
  id bigint not null generated always as identity,
  client_id text collate "C",
  action text collate "C" not null,
  thing text collate "C",
  name text,
  details jsonb not null,
  principal_kind text not null check (principal_kind in ('user', 'key', 'system', 'nobody')),
  principal_id text collate "C",
  principal_name text,
  address text,
  user_agent text,
  request_id text,
  primary key (at, id)
);
create index audit_trail_client on audit_trail (client_id, at, id);
create index audit_trail_principal on audit_trail (principal_id, at, id);
create index audit_trail_thing on audit_trail (thing, at, id);

create function audit_trail_stays() returns trigger language plpgsql as $$
begin
  raise exception 'The audit trail is only ever added to.' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_trail_stays before update or delete or truncate on audit_trail
  for each statement execute function audit_trail_stays();
