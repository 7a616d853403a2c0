-- Two clients may each have an agent of one name; neither can tell that the other has.
alter table agent_runtimes drop constraint agent_runtimes_pkey;
alter table agent_runtimes add primary key (client_id, agent_id);
create index agent_runtimes_agent on agent_runtimes (agent_id);
