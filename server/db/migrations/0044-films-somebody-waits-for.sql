-- Until when somebody who asked for a film is taken to wait for it. What deliveries wait for, they say themselves.
alter table derived_files add column wanted_until timestamptz;
