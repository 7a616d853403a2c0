-- Folders stand in the order people count in: "Shoot 2" before "Shoot 10".
create function counted(words text) returns text language sql immutable parallel safe as $$
  select coalesce(string_agg(
    case when part[1] ~ '^[0-9]' then lpad(part[1], greatest(12, length(part[1])), '0') else part[1] end,
    '' order by place), '')
  from regexp_matches(words, '[0-9]+|[^0-9]+', 'g') with ordinality as parts (part, place)
$$;

alter table folders add column name_order text collate "C" not null generated always as (counted(name_key)) stored;
create index folders_order on folders (client_id, parent_id, name_order, id) where trashed_at is null;
