-- An answer that is kept for a repeat goes with the client it tells of.
alter table idempotent_answers add column client_id text collate "C";
create index idempotent_answers_client on idempotent_answers (client_id) where client_id is not null;
