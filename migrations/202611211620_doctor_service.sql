-- append-only: doctor_opening_price
-- What can be sold, in which groups, under which rules, and who sells it at which price and times.

create table doctor_service_category (
  id bigint generated always as identity primary key,
  code text not null unique,
  parent_id bigint references doctor_service_category (id),
  depth int not null check (depth in (1, 2) and (depth = 1) = (parent_id is null)),
  name text not null check (char_length(name) between 1 and 20),
  icon text check (char_length(icon) <= 40),
  sort int not null,
  visible_to text not null default 'ALL' check (visible_to in ('ALL', 'VIP')),
  state text not null default 'ENABLED' check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create unique index doctor_service_category_name on doctor_service_category (coalesce(parent_id, 0), name);

create table doctor_service_item (
  id bigint generated always as identity primary key,
  item_code text not null unique check (item_code ~ '^[A-Z0-9_]{2,32}$'),
  name text not null unique check (char_length(name) between 1 and 20),
  item_type text not null check (item_type in ('TEXT', 'PHONE', 'VIDEO', 'FOLLOW_UP', 'REPORT', 'SECOND_OPINION', 'PRIVATE')),
  care_kind text not null check (care_kind in ('CONSULT', 'DIAGNOSIS')),
  category_id bigint not null references doctor_service_category (id),
  sort int not null,
  summary text not null default '' check (char_length(summary) <= 200),
  detail text not null default '' check (char_length(detail) <= 5000),
  cover_file_id bigint,
  billing text not null check (billing in ('TIME', 'REPLIES', 'PERIOD')),
  quota_replies int check (quota_replies between 1 and 100),
  period_days int check (period_days between 7 and 365),
  duration_min int check (duration_min in (10, 15, 20, 30, 60)),
  free_allowed boolean not null default false,
  -- titleCode to {minFen, defaultFen, maxFen}
  price_bands jsonb not null check (jsonb_typeof(price_bands) = 'object' and price_bands <> '{}'),
  accept_hours int not null check (accept_hours between 1 and 24),
  reply_hours int not null check (reply_hours between 1 and 48),
  valid_hours int not null check (valid_hours between 1 and 8760),
  need_slot boolean not null,
  title_min text not null check (title_min in ('CHIEF', 'ASSOCIATE', 'ATTENDING', 'RESIDENT')),
  -- practice categories that may sell it; empty = all
  categories text[] not null default '{}' check (categories <@ array['CLINICAL', 'TCM', 'STOMATOLOGY', 'PUBLIC']),
  product_line_id bigint,
  agreement_file_id bigint,
  agreement_version int not null default 0,
  refund_rule_code text not null,
  state text not null default 'DRAFT' check (state in ('DRAFT', 'ON', 'OFF')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((billing = 'REPLIES') = (quota_replies is not null)),
  check ((billing = 'PERIOD') = (period_days is not null)),
  check ((item_type in ('PHONE', 'VIDEO')) = (duration_min is not null)),
  check (item_type not in ('PHONE', 'VIDEO') or need_slot),
  check (billing = 'PERIOD' or valid_hours <= 720)
);
create index doctor_service_item_category on doctor_service_item (category_id, sort);
create index doctor_service_item_line on doctor_service_item (product_line_id) where product_line_id is not null;

create table doctor_service_config_version (
  id bigint generated always as identity primary key,
  version_no int not null unique,
  content jsonb not null,
  -- set by publishing; a published draft whose time has not come is waiting
  effective_from timestamptz,
  published_at timestamptz,
  published_by bigint,
  note text not null default '' check (char_length(note) <= 200),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'ACTIVE', 'HISTORY')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((effective_from is null) = (published_at is null)),
  check (state = 'DRAFT' or published_at is not null)
);
create unique index doctor_service_config_active on doctor_service_config_version (state) where state = 'ACTIVE';
create unique index doctor_service_config_draft on doctor_service_config_version (state) where state = 'DRAFT' and published_at is null;
create unique index doctor_service_config_waiting on doctor_service_config_version (state) where state = 'DRAFT' and published_at is not null;
create index doctor_service_config_from on doctor_service_config_version (effective_from desc) where published_at is not null;

create table doctor_service_opening (
  id bigint generated always as identity primary key,
  doctor_id bigint not null references doctor_doctor (id),
  item_id bigint not null references doctor_service_item (id),
  price_fen bigint not null check (price_fen between 0 and 500000),
  daily_limit int not null check (daily_limit between 1 and 100),
  -- [{weekday, from, to, quota}]; quota of each half hour
  slots jsonb not null default '[]' check (jsonb_typeof(slots) = 'array'),
  state text not null default 'PENDING' check (state in ('PENDING', 'ON', 'PAUSED', 'SUSPENDED', 'REJECTED', 'CLOSED')),
  suspend_reason text check (suspend_reason in ('CERT', 'FREEZE')),
  suspended_from text check (suspended_from in ('ON', 'PAUSED')),
  effective_at timestamptz,
  -- last price change that nobody had to approve
  auto_priced_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'SUSPENDED') = (suspend_reason is not null)),
  check ((state = 'SUSPENDED') = (suspended_from is not null)),
  check (state in ('PENDING', 'REJECTED', 'CLOSED') or effective_at is not null)
);
create unique index doctor_service_opening_live on doctor_service_opening (doctor_id, item_id) where state not in ('REJECTED', 'CLOSED');
create index doctor_service_opening_item on doctor_service_opening (item_id, state);
create index doctor_service_opening_state on doctor_service_opening (state, updated_at);

-- Every price that an opening has had.
create table doctor_opening_price (
  id bigint generated always as identity primary key,
  opening_id bigint not null references doctor_service_opening (id),
  price_fen bigint not null check (price_fen between 0 and 500000),
  source text not null check (source in ('OPEN', 'AUTO', 'AUDIT')),
  apply_id bigint,
  reason text not null default '' check (char_length(reason) <= 200),
  at timestamptz not null,
  by_id bigint,
  by_name text not null
);
create index doctor_opening_price_opening on doctor_opening_price (opening_id, at);

create table doctor_opening_slot (
  opening_id bigint not null references doctor_service_opening (id),
  slot_at timestamptz not null,
  quota int not null check (quota >= 0),
  taken int not null default 0 check (taken between 0 and quota),
  primary key (opening_id, slot_at)
);

create table doctor_opening_apply (
  id bigint generated always as identity primary key,
  apply_no text not null unique,
  opening_id bigint not null references doctor_service_opening (id),
  kind text not null check (kind in ('OPEN', 'PRICE')),
  from_price_fen bigint check (from_price_fen >= 0),
  to_price_fen bigint not null check (to_price_fen >= 0),
  band_snapshot jsonb not null,
  reason text not null default '' check (char_length(reason) <= 200),
  applicant_type text not null check (applicant_type in ('DOCTOR', 'STAFF')),
  applicant_id bigint not null,
  applicant_name text not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  auditor_id bigint,
  auditor_name text,
  opinion text check (char_length(opinion) <= 500),
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((kind = 'PRICE') = (from_price_fen is not null)),
  -- nobody decides on his own application
  check (applicant_type <> 'STAFF' or state = 'WITHDRAWN' or auditor_id is null or auditor_id <> applicant_id),
  check (state not in ('APPROVED', 'REJECTED') or auditor_id is not null)
);
create unique index doctor_opening_apply_open on doctor_opening_apply (opening_id) where state = 'PENDING';
create index doctor_opening_apply_state on doctor_opening_apply (state, created_at);
create index doctor_opening_apply_opening on doctor_opening_apply (opening_id, id);
