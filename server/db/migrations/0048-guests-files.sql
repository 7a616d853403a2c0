-- Guests' files are told of to those who may look at them, apart from those of the client's own people.
update notifications set kind = 'guest-files' where kind = 'new-files' and subject like 'request\_%';
delete from notifications n using users u where u.id = n.user_id and n.kind = 'guest-files' and u.role = 'viewer';
insert into notification_settings (user_id, kind, way)
  select user_id, 'guest-files', way from notification_settings where kind = 'new-files';
