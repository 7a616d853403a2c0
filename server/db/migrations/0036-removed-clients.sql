-- A client that is being removed with everything it has, and what was removed. It outlives the client and names nobody.
create table client_removals (
  client_id text collate "C" primary key,
  asked_at timestamptz(3) not null default now(),
  asked_by text not null,
  finished_at timestamptz(3),
  stored_bytes bigint not null,
  -- How many rows of each table are gone.
  rows jsonb not null default '{}',
  objects bigint not null default 0,
  object_bytes bigint not null default 0,
  -- Objects up to this key are counted already.
  counted_to text collate "C" not null default '',
  -- When to look once more for what a late upload brought; null when no URL can bring anything any more.
  look_again_at timestamptz(3)
);

-- The audit trail stays, and nothing can be written into it afterwards. What names people can be taken out of it when
-- those people, or their client, are deleted.
create function audit_trail_forgets() returns trigger language plpgsql as $$
begin
  if (new.at, new.id, new.client_id, new.action, new.thing, new.principal_kind, new.principal_id, new.request_id)
      is distinct from
     (old.at, old.id, old.client_id, old.action, old.thing, old.principal_kind, old.principal_id, old.request_id)
    or coalesce(new.name, old.name) is distinct from old.name
    or coalesce(new.principal_name, old.principal_name) is distinct from old.principal_name
    or coalesce(new.address, old.address) is distinct from old.address
    or coalesce(new.user_agent, old.user_agent) is distinct from old.user_agent
    or (new.details <> '{}' and new.details is distinct from old.details)
  then
    raise exception 'The audit trail is only ever added to.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
drop trigger audit_trail_stays on audit_trail;
create trigger audit_trail_stays before delete or truncate on audit_trail
  for each statement execute function audit_trail_stays();
create trigger audit_trail_forgets before update on audit_trail
  for each row execute function audit_trail_forgets();
