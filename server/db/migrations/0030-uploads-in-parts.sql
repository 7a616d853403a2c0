-- Whether parts were asked for: from then on the file does not come whole, so it takes its room once.
alter table upload_sessions add column in_parts boolean not null default false;
