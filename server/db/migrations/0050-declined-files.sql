-- What was said to whoever sent it when it was declined. Null until then.
alter table guest_files add column declined_note text check (char_length(declined_note) <= 2000);
