-- Who makes a derived file, or made it: only the holder of the lease may say that it is made or give it up.
alter table derived_files add column maker text collate "C";
