-- WeChat Work: companies, members, contacts and live codes.

create table channel_wecom_corp (
  id bigint generated always as identity primary key,
  corp_id text not null unique check (char_length(corp_id) between 4 and 64),
  name text not null check (char_length(name) between 1 and 40),
  mode text not null check (mode in ('LOCAL', 'WECOM')),
  contact_secret text,
  callback_token text,
  encoding_aes_key text,
  state text not null default 'UNVERIFIED' check (state in ('UNVERIFIED', 'CONNECTED', 'ERROR', 'DISABLED')),
  failures int not null default 0,
  last_errcode int,
  last_error text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create table channel_wecom_app (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  agent_id text not null,
  name text not null check (char_length(name) between 1 and 40),
  secret text,
  home_url text check (char_length(home_url) <= 300),
  state text not null default 'ENABLED' check (state in ('ENABLED', 'DISABLED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (corp_row_id, agent_id)
);
create table channel_wecom_member (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  wecom_user_id text not null,
  name text not null,
  avatar text,
  mobile_hash text,
  mobile_masked text,
  department_names text[] not null default '{}',
  status smallint not null check (status in (1, 2, 4, 5)),
  can_contact boolean not null,
  staff_user_id bigint,
  assistant_id bigint,
  bind_state text not null default 'UNBOUND' check (bind_state in ('UNBOUND', 'BOUND', 'INVALID')),
  bound_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (corp_row_id, wecom_user_id),
  check (bind_state <> 'BOUND' or staff_user_id is not null)
);
create unique index channel_wecom_member_staff on channel_wecom_member (corp_row_id, staff_user_id) where bind_state = 'BOUND';

create table channel_live_code (
  id bigint generated always as identity primary key,
  live_code_no text not null unique,
  code_id bigint not null unique references channel_qr_code (id),
  corp_row_id bigint not null references channel_wecom_corp (id),
  channel_id bigint not null references channel_channel (id),
  name text not null check (char_length(name) between 1 and 40),
  strategy text not null check (strategy in ('ROUND', 'LEAST', 'WEIGHT', 'SAME')),
  skip_verify boolean not null default true,
  welcome jsonb not null,
  off_hours_text text not null default '' check (char_length(off_hours_text) <= 200),
  state text not null default 'CREATING' check (state in ('CREATING', 'ACTIVE', 'ERROR', 'PAUSED', 'DELETED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create table channel_live_code_member (
  id bigint generated always as identity primary key,
  live_code_id bigint not null references channel_live_code (id),
  member_id bigint not null references channel_wecom_member (id),
  weight int not null default 1 check (weight between 1 and 100),
  daily_limit int not null default 0 check (daily_limit between 0 and 1000),
  spans jsonb not null default '[]',
  is_backup boolean not null default false,
  last_shown_at timestamptz,
  config_id text,
  qr_url text,
  way_state text not null default 'NONE' check (way_state in ('NONE', 'READY', 'FAILED')),
  way_error text,
  removed boolean not null default false,
  unique (live_code_id, member_id)
);
create table channel_live_member_day (
  live_code_member_id bigint not null references channel_live_code_member (id),
  day date not null,
  shown int not null default 0,
  added int not null default 0,
  primary key (live_code_member_id, day)
);

create table channel_wecom_contact (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  external_user_id text not null,
  member_id bigint not null references channel_wecom_member (id),
  nick_cipher text not null,
  nick_masked text not null,
  avatar text,
  union_id_hash text,
  remark text not null default '',
  added_at timestamptz not null,
  way_key text,
  live_code_id bigint references channel_live_code (id),
  visitor_id text,
  patient_id bigint,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DELETED_BY_CUSTOMER', 'DELETED_BY_MEMBER', 'TRANSFERRED')),
  touch_stopped boolean not null default false,
  welcome_state text check (welcome_state in ('SENT', 'FAILED', 'EXPIRED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (corp_row_id, external_user_id, member_id)
);
create index channel_wecom_contact_member on channel_wecom_contact (member_id, added_at);
create index channel_wecom_contact_live on channel_wecom_contact (live_code_id, added_at);
create index channel_wecom_contact_visitor on channel_wecom_contact (visitor_id) where visitor_id is not null;

create table channel_wecom_event (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  event_key text not null,
  kind text not null,
  payload jsonb not null,
  received_at timestamptz not null,
  handled_at timestamptz,
  error text,
  unique (corp_row_id, event_key)
);
create table channel_welcome_send (
  welcome_code_hash text primary key,
  contact_id bigint not null references channel_wecom_contact (id),
  state text not null check (state in ('SENT', 'FAILED', 'EXPIRED')),
  errcode int,
  at timestamptz not null
);
create table channel_sync_run (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  kind text not null check (kind in ('MEMBER', 'CONTACT', 'TAG')),
  trigger text not null check (trigger in ('JOB', 'MANUAL', 'CALLBACK')),
  total int not null default 0,
  done int not null default 0,
  added int not null default 0,
  changed int not null default 0,
  removed int not null default 0,
  errors jsonb not null default '[]',
  state text not null default 'RUNNING' check (state in ('RUNNING', 'SUCCESS', 'PARTIAL', 'FAILED')),
  started_at timestamptz not null,
  ended_at timestamptz
);
create unique index channel_sync_run_one on channel_sync_run (corp_row_id, kind) where state = 'RUNNING';
create table channel_contact_transfer (
  id bigint generated always as identity primary key,
  transfer_no text not null unique,
  from_member_id bigint not null references channel_wecom_member (id),
  to_member_id bigint not null references channel_wecom_member (id),
  reason text not null check (reason in ('LEAVE', 'CHANGE')),
  created_at timestamptz not null,
  created_by bigint
);
create table channel_contact_transfer_item (
  transfer_id bigint not null references channel_contact_transfer (id),
  contact_id bigint not null references channel_wecom_contact (id),
  state text not null default 'WAITING' check (state in ('WAITING', 'DONE', 'REFUSED', 'LIMIT', 'FAILED')),
  primary key (transfer_id, contact_id)
);

-- The simulator of WeChat Work (mode LOCAL): its own staff list and contacts.
create table channel_wecom_local_member (
  id bigint generated always as identity primary key,
  corp_row_id bigint not null references channel_wecom_corp (id),
  wecom_user_id text not null,
  name text not null,
  mobile_hash text,
  mobile_masked text,
  department_names text[] not null default '{}',
  status smallint not null check (status in (1, 2, 4, 5)),
  can_contact boolean not null default true,
  unique (corp_row_id, wecom_user_id)
);
