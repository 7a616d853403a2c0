-- Assets that an agent follows over MCP. Kept here and not in memory, so that it does not matter which node takes
-- the subscription and which one holds the stream. Gone with the key, and with the asset.
create table mcp_subscriptions (
  client_id text collate "C" not null,
  key_id text collate "C" not null,
  session_id text collate "C" not null,
  asset_id text collate "C" not null,
  -- The client's last event that the agent was told of, or need not be.
  last_event bigint not null,
  touched_at timestamptz(3) not null default now(),
  primary key (key_id, session_id, client_id, asset_id),
  foreign key (client_id, key_id) references api_key_clients (client_id, key_id) on delete cascade,
  foreign key (client_id, asset_id) references assets (client_id, id) on delete cascade
);
create index mcp_subscriptions_asset on mcp_subscriptions (client_id, asset_id);
create index mcp_subscriptions_age on mcp_subscriptions (touched_at);
