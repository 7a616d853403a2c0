-- Why a file that a job makes could not be made. While its lease lasts, nobody tries again.
alter table derived_files add column problem text check (length(problem) <= 2000);
