-- What of a client may be sent to a model: previews of its 'pictures', its 'words' and what its people search for. Whoever
-- consented before had been told of pictures alone.
alter table suggestion_settings add column sends text[] not null default '{}' check (sends <@ array['pictures', 'words']);
update suggestion_settings set sends = '{pictures}' where mode <> 'off';
