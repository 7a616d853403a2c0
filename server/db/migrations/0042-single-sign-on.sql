-- Who somebody is at a provider that vouches for them. A person may have several.
create table login_identities (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  primary key (issuer, subject)
);
create index login_identities_user on login_identities (user_id);

-- People who are at a provider are between two steps, too; and a second step knows how the first was made.
alter table login_steps
  drop constraint login_steps_purpose_check,
  add constraint login_steps_purpose_check
    check (purpose in ('second-factor', 'passkey-sign-in', 'passkey-new', 'single-sign-on')),
  add column method text collate "C" not null default 'password';
