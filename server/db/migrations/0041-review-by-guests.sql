-- Whether those who open a share link may say what they think of what it shows.
alter table share_links add column allows_review boolean not null default false;
