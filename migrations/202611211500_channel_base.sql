-- append-only: channel_vip_usage, channel_qr_target_history
-- Channels, their VIP budgets, the codes that carry them and what was scanned.

-- Read-only copies of what other domains own, fed by their events.
create table channel_ref_copy (
  kind text not null check (kind in ('SCENE', 'DOCTOR', 'AGENT', 'HOSPITAL', 'ASSISTANT', 'USER', 'ITEM')),
  ref_id bigint not null,
  name text not null,
  -- may be used for new records and is served to visitors
  usable boolean not null,
  facts jsonb not null default '{}',
  seq int not null default 0,
  updated_at timestamptz not null,
  primary key (kind, ref_id)
);
create index channel_ref_copy_name on channel_ref_copy using gin (name gin_trgm_ops);

create table channel_channel (
  id bigint generated always as identity primary key,
  channel_no text not null unique,
  parent_id bigint references channel_channel (id),
  -- ids from the root down to this channel, itself included
  path bigint[] not null,
  depth int not null check (depth between 1 and 3 and depth = cardinality(path)),
  name text not null check (char_length(name) between 1 and 40),
  channel_type text not null check (channel_type in ('AGENT', 'COMPANY', 'HOSPITAL', 'DRUGSTORE', 'INSURER', 'ACTIVITY', 'ONLINE', 'WECOM', 'OTHER')),
  owner_id bigint,
  owner_name text check (char_length(owner_name) <= 60),
  agent_id bigint,
  company_id bigint,
  product_line_id bigint,
  adcode text check (adcode ~ '^\d{6}$'),
  start_date date not null,
  end_date date,
  tags text[] not null default '{}',
  remark text not null default '' check (char_length(remark) <= 200),
  cost_fen bigint not null default 0 check (cost_fen >= 0),
  cost_note text not null default '' check (char_length(cost_note) <= 200),
  state text not null default 'ENABLED' check (state in ('ENABLED', 'EXPIRED', 'DISABLED')),
  doctor_count int not null default 0,
  patient_count int not null default 0,
  order_count int not null default 0,
  order_fen bigint not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (end_date >= start_date),
  check (channel_type <> 'AGENT' or agent_id is not null),
  check (channel_type in ('ACTIVITY', 'ONLINE', 'OTHER') or owner_name is not null)
);
create unique index channel_channel_name on channel_channel (coalesce(parent_id, 0), name);
create index channel_channel_type on channel_channel (channel_type, state);
create index channel_channel_agent on channel_channel (agent_id);
create index channel_channel_end on channel_channel (end_date) where state = 'ENABLED';
create index channel_channel_path on channel_channel using gin (path);

create table channel_vip (
  id bigint generated always as identity primary key,
  vip_no text not null unique,
  channel_id bigint not null references channel_channel (id),
  level text not null check (level in ('GOLD', 'PLATINUM', 'DIAMOND')),
  sponsor_name text not null check (char_length(sponsor_name) between 1 and 60),
  sponsor_id bigint,
  default_discount_bp int not null check (default_discount_bp between 0 and 10000),
  item_discounts jsonb not null default '[]',
  priority_accept_min int not null check (priority_accept_min between 5 and 120),
  desk_code text check (char_length(desk_code) <= 40),
  patient_quota int check (patient_quota > 0),
  monthly_budget_fen bigint check (monthly_budget_fen > 0),
  total_budget_fen bigint not null check (total_budget_fen > 0),
  used_fen bigint not null default 0 check (used_fen >= 0 and used_fen <= total_budget_fen),
  start_date date not null,
  end_date date not null check (end_date >= start_date),
  contract_file_ids bigint[] not null default '{}',
  previous_vip_id bigint references channel_vip (id),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'PENDING', 'WAITING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'EXPIRED', 'TERMINATED')),
  maker_id bigint,
  checker_id bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create extension if not exists btree_gist;
alter table channel_vip add constraint channel_vip_overlap
  exclude using gist (channel_id with =, daterange(start_date, end_date, '[]') with &&) where (state in ('WAITING', 'ACTIVE', 'SUSPENDED'));
create index channel_vip_state on channel_vip (state, end_date);

create table channel_vip_month (
  vip_id bigint not null references channel_vip (id),
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  used_fen bigint not null default 0 check (used_fen >= 0),
  primary key (vip_id, month)
);
create table channel_vip_usage (
  id bigint generated always as identity primary key,
  vip_id bigint not null references channel_vip (id),
  order_id bigint not null,
  kind text not null check (kind in ('RESERVE', 'RELEASE')),
  amount_fen bigint not null check (amount_fen > 0),
  month text not null,
  doctor_name text,
  at timestamptz not null,
  unique (vip_id, order_id, kind)
);
create index channel_vip_usage_order on channel_vip_usage (order_id);
create table channel_vip_member (
  vip_id bigint not null references channel_vip (id),
  patient_id bigint not null,
  scan_id bigint,
  joined_at timestamptz not null,
  primary key (vip_id, patient_id)
);

create table channel_code_host (
  id bigint generated always as identity primary key,
  host text not null unique check (host ~ '^[a-z0-9]([a-z0-9.-]{0,98}[a-z0-9])?$'),
  note text not null default '' check (char_length(note) <= 100),
  enabled boolean not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null
);

create table channel_qr_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  name text not null check (char_length(name) between 1 and 40),
  mode text not null check (mode in ('COUNT', 'LIST')),
  channel_id bigint not null references channel_channel (id),
  quantity int not null check (quantity between 1 and 5000),
  template jsonb not null,
  name_pattern text not null,
  -- rows of a list, in order: name, channel, params
  items jsonb,
  done int not null default 0,
  failed int not null default 0,
  failures jsonb not null default '[]',
  zip_file_id bigint,
  zip_expire_at timestamptz,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'READY', 'PARTIAL', 'FAILED', 'CANCELLED', 'VOID')),
  fail_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (done + failed <= quantity)
);
create index channel_qr_batch_channel on channel_qr_batch (channel_id);

create table channel_qr_code (
  id bigint generated always as identity primary key,
  token text not null unique check (token ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
  kind text not null check (kind in ('COMMON', 'SCENE', 'LIVE')),
  name text not null check (char_length(name) between 1 and 40),
  channel_id bigint not null references channel_channel (id),
  batch_id bigint references channel_qr_batch (id),
  seq_in_batch int,
  target jsonb not null check (char_length(target::text) <= 1200),
  target_type text not null check (target_type in ('H5', 'MINI', 'DOCTOR', 'DOCTOR_REGISTER', 'SCENE', 'PRODUCT', 'DESK', 'LIVE')),
  params jsonb not null default '{}',
  style jsonb not null,
  valid_from timestamptz,
  valid_to timestamptz,
  scan_limit int check (scan_limit > 0),
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED', 'VOID')),
  ok_count int not null default 0,
  pv int not null default 0,
  uv int not null default 0,
  last_scan_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (batch_id, seq_in_batch),
  check (valid_to > valid_from),
  check (ok_count <= scan_limit)
);
create index channel_qr_code_kind on channel_qr_code (kind, state);
create index channel_qr_code_channel on channel_qr_code (channel_id);

create table channel_qr_target_history (
  id bigint generated always as identity primary key,
  code_id bigint not null references channel_qr_code (id) on delete cascade,
  before jsonb not null,
  after jsonb not null,
  user_id bigint,
  at timestamptz not null
);
create index channel_qr_target_history_code on channel_qr_target_history (code_id);

create table channel_scene_code (
  id bigint generated always as identity primary key,
  scene_code_no text not null unique,
  code_id bigint not null unique references channel_qr_code (id),
  scene_id bigint not null,
  channel_id bigint not null references channel_channel (id),
  doctor_id bigint,
  assistant_id bigint,
  entry text not null check (entry in ('AUTO', 'PAY')),
  item_id bigint,
  remark text not null default '' check (char_length(remark) <= 200),
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'DISABLED', 'VOID')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (entry <> 'PAY' or item_id is not null)
);
create unique index channel_scene_code_triple on channel_scene_code (scene_id, channel_id, doctor_id) nulls not distinct where state <> 'VOID';
create index channel_scene_code_doctor on channel_scene_code (doctor_id);
create index channel_scene_code_scene on channel_scene_code (scene_id);

create sequence channel_qr_scan_id;
create table channel_qr_scan (
  id bigint not null default nextval('channel_qr_scan_id'),
  code_id bigint,
  token text not null,
  channel_id bigint,
  agent_id bigint,
  scene_code_id bigint,
  doctor_id bigint,
  live_member_id bigint,
  at timestamptz not null,
  visitor_id text,
  ip_hash text not null,
  client text not null check (client in ('WECHAT', 'WECOM', 'ALIPAY', 'BROWSER', 'OTHER')),
  os text not null,
  is_new boolean not null,
  counted boolean not null,
  result text not null check (result in ('OK', 'DISABLED', 'EXPIRED', 'NOT_STARTED', 'LIMIT', 'UNKNOWN', 'BOT', 'THROTTLED')),
  primary key (id, at),
  check (not counted or result = 'OK')
) partition by range (at);
create index channel_qr_scan_code on channel_qr_scan (code_id, at);
create index channel_qr_scan_visitor on channel_qr_scan (visitor_id, at);
create index channel_qr_scan_channel on channel_qr_scan (channel_id, at);
create index channel_qr_scan_at on channel_qr_scan (at);

-- Who a scan turned out to be; scans themselves never change.
create table channel_scan_binding (
  scan_id bigint not null,
  subject_key text not null,
  patient_id bigint,
  doctor_id bigint,
  at timestamptz not null,
  primary key (scan_id, subject_key)
);
create index channel_scan_binding_patient on channel_scan_binding (patient_id) where patient_id is not null;
create index channel_scan_binding_doctor on channel_scan_binding (doctor_id) where doctor_id is not null;

create table channel_scan_conversion (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('REGISTER_DOCTOR', 'REGISTER_PATIENT', 'ADD_CONTACT', 'FIRST_ORDER', 'ORDER')),
  subject_key text not null,
  scan_id bigint,
  code_id bigint,
  channel_id bigint not null references channel_channel (id),
  amount_fen bigint not null default 0,
  match text not null check (match in ('EXACT', 'GUESS')),
  at timestamptz not null,
  unique (kind, subject_key)
);
create index channel_scan_conversion_channel on channel_scan_conversion (channel_id, at);
create index channel_scan_conversion_code on channel_scan_conversion (code_id, at);

create table channel_qr_scan_daily (
  code_id bigint not null,
  day date not null,
  channel_id bigint not null,
  pv int not null, uv int not null, new_uv int not null,
  registered int not null, contacts int not null, orders int not null, pay_fen bigint not null,
  primary key (code_id, day)
);
create index channel_qr_scan_daily_channel on channel_qr_scan_daily (channel_id, day);
create table channel_daily (
  channel_id bigint not null,
  day date not null,
  pv int not null, uv int not null, new_uv int not null,
  registered int not null, contacts int not null, orders int not null, pay_fen bigint not null,
  primary key (channel_id, day)
);
-- Days whose sums must be made again.
create table channel_dirty_day (
  day date primary key
);

-- Hand-overs of agents that wait for their day.
create table channel_handover (
  id bigint generated always as identity primary key,
  handover_no text not null,
  from_agent_id bigint not null,
  to_agent_id bigint not null,
  channel_ids bigint[] not null,
  effective_on date not null,
  applied_at timestamptz,
  unique (handover_no, from_agent_id, to_agent_id)
);
