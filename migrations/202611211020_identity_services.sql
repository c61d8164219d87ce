create table identity_notice (
  id bigint generated always as identity primary key,
  notice_no text not null unique,
  kind text not null check (kind in ('ANNOUNCE', 'TODO', 'ALERT', 'RESULT')),
  title text not null check (length(title) between 1 and 60),
  body text not null default '' check (length(body) <= 5000),
  level text not null check (level in ('INFO', 'WARN', 'URGENT')),
  audience jsonb not null,
  link text,
  business_key text unique,
  publish_at timestamptz,
  expire_at timestamptz,
  state text not null check (state in ('DRAFT', 'PUBLISHED', 'REVOKED', 'DONE')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (state = 'DRAFT' or publish_at is not null)
);
create index identity_notice_live on identity_notice (publish_at desc, id desc) where state = 'PUBLISHED';
create index identity_notice_kind on identity_notice (kind, state, id desc);

create table identity_notice_read (
  notice_id bigint not null references identity_notice (id) on delete cascade,
  user_id bigint not null references identity_staff_user (id),
  read_at timestamptz not null,
  primary key (notice_id, user_id)
);
create index identity_notice_read_user on identity_notice_read (user_id);

create table identity_region (
  adcode text primary key check (adcode ~ '^\d{6}$'),
  name text not null,
  level int not null check (level in (1, 2, 3)),
  parent_adcode text,
  pinyin text not null,
  retired_on date,
  replaced_by text
);
create index identity_region_parent on identity_region (parent_adcode);
create index identity_region_name on identity_region using gin (name gin_trgm_ops);

create table identity_icd10 (
  code text primary key,
  name text not null,
  pinyin text not null,
  parent_code text,
  source text not null default 'SEED' check (source in ('SEED', 'LOADED'))
);
create index identity_icd10_code on identity_icd10 (code text_pattern_ops);
create index identity_icd10_pinyin on identity_icd10 (pinyin text_pattern_ops);
create index identity_icd10_name on identity_icd10 using gin (name gin_trgm_ops);

create table identity_work_calendar (
  day date primary key,
  is_workday boolean not null,
  is_bankday boolean not null,
  note text not null default '',
  -- Changed by staff: a new seed leaves the day alone.
  edited boolean not null default false
);

create table identity_api_client (
  id bigint generated always as identity primary key,
  client_id text not null unique,
  name text not null,
  party text not null check (party in ('INSURER', 'PHARMA', 'SUPPLIER', 'MINI_APP', 'PAY', 'OTHER')),
  party_id bigint,
  keys jsonb not null,
  permissions jsonb not null,
  scope jsonb not null,
  ip_allow jsonb not null,
  rate_per_min int not null check (rate_per_min > 0),
  state text not null check (state in ('ENABLED', 'DISABLED')),
  last_used_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);

create table identity_api_client_day (
  api_client_id bigint not null references identity_api_client (id),
  day date not null,
  calls int not null default 0,
  failed int not null default 0,
  primary key (api_client_id, day)
);

create table identity_api_nonce (
  client_id text not null,
  nonce text not null,
  at timestamptz not null,
  primary key (client_id, nonce)
);
create index identity_api_nonce_at on identity_api_nonce (at);

create table identity_user_preference (
  user_id bigint not null references identity_staff_user (id),
  key text not null,
  value jsonb not null check (octet_length(value::text) <= 16384),
  updated_at timestamptz not null,
  primary key (user_id, key)
);
