-- Whether a film that browsers do not play has a copy that they do. Null: it needs none, or nobody has asked.
alter table assets
  add column proxy_state text collate "C" check (proxy_state in ('waiting', 'ready', 'failed', 'no-encoder')),
  add column proxy_problem text check (length(proxy_problem) <= 2000);
create index assets_waiting_for_proxy on assets (client_id, id) where proxy_state = 'waiting';

-- How much of it is made, in percent, of what takes minutes.
alter table derived_files add column progress smallint;
