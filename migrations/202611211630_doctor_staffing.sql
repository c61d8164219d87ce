-- Assistants, their binds and load; recommendation positions; doctor cards.
create extension if not exists btree_gist;

create table doctor_assistant (
  id bigint generated always as identity primary key,
  assistant_no text not null unique,
  operator_id bigint not null unique default nextval('doctor_operator_seq'),
  -- staff user
  user_id bigint not null unique,
  name text not null check (char_length(name) between 1 and 30),
  mobile_cipher text not null,
  mobile_hash text not null,
  mobile_masked text not null,
  avatar_file_id bigint,
  group_name text not null check (char_length(group_name) between 1 and 30),
  leader_id bigint references doctor_assistant (id),
  capacity int not null default 40 check (capacity between 1 and 200),
  disease_ids bigint[] not null default '{}' check (cardinality(disease_ids) <= 20),
  -- [{weekday 1 (Monday) to 7, from, to}], half hours between 08:30 and 18:30
  duty_week jsonb not null,
  state text not null default 'OFF_DUTY' check (state in ('ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED')),
  -- last day of the leave
  leave_until date,
  active_count int not null default 0 check (active_count >= 0),
  last_assigned_at timestamptz,
  first_reply_median_sec int,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (leader_id <> id),
  check ((state = 'LEAVE') = (leave_until is not null))
);
create index doctor_assistant_state on doctor_assistant (state, group_name);
create index doctor_assistant_leader on doctor_assistant (leader_id);
create index doctor_assistant_diseases on doctor_assistant using gin (disease_ids);
create index doctor_assistant_mobile on doctor_assistant (mobile_hash);

create table doctor_assistant_transfer (
  id bigint generated always as identity primary key,
  transfer_no text not null unique,
  from_assistant_id bigint not null references doctor_assistant (id),
  scope text not null check (scope in ('ALL', 'DOCTORS')),
  doctor_ids bigint[] not null default '{}',
  strategy text not null check (strategy in ('ONE', 'SPREAD')),
  to_assistant_ids bigint[] not null check (cardinality(to_assistant_ids) >= 1),
  with_inquiries boolean not null,
  reason text not null check (char_length(reason) between 2 and 200),
  state text not null check (state in ('RUNNING', 'DONE', 'PARTIAL')),
  -- one object per doctor and role
  results jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (strategy = 'SPREAD' or cardinality(to_assistant_ids) = 1)
);
create index doctor_assistant_transfer_from on doctor_assistant_transfer (from_assistant_id, id desc);

create table doctor_assistant_bind (
  id bigint generated always as identity primary key,
  doctor_id bigint not null references doctor_doctor (id),
  assistant_id bigint not null references doctor_assistant (id),
  role text not null check (role in ('PRIMARY', 'BACKUP')),
  started_at timestamptz not null,
  started_by bigint,
  ended_at timestamptz,
  ended_by bigint,
  end_reason text check (char_length(end_reason) <= 200),
  transfer_id bigint references doctor_assistant_transfer (id),
  check (ended_at >= started_at),
  check ((ended_at is null) = (end_reason is null))
);
create unique index doctor_assistant_bind_primary on doctor_assistant_bind (doctor_id) where role = 'PRIMARY' and ended_at is null;
create unique index doctor_assistant_bind_pair on doctor_assistant_bind (doctor_id, assistant_id) where ended_at is null;
create index doctor_assistant_bind_live on doctor_assistant_bind (assistant_id) where ended_at is null;
create index doctor_assistant_bind_doctor on doctor_assistant_bind (doctor_id, started_at desc);
create index doctor_assistant_bind_history on doctor_assistant_bind (assistant_id, started_at desc);

-- One row per paid order that an assistant serves or served: his open ones are his load.
create table doctor_assistant_load (
  order_id bigint primary key,
  doctor_id bigint not null references doctor_doctor (id),
  assistant_id bigint references doctor_assistant (id),
  -- the inquiry's id in consultation, once it is opened
  inquiry_id bigint unique,
  open boolean not null,
  -- of the inquiry's newest event
  seq int not null default 0,
  taken_at timestamptz not null,
  first_reply_sec int,
  updated_at timestamptz not null
);
create index doctor_assistant_load_open on doctor_assistant_load (assistant_id, doctor_id) where open;
create index doctor_assistant_load_doctor on doctor_assistant_load (doctor_id) where open;
create index doctor_assistant_load_taken on doctor_assistant_load (assistant_id, taken_at);

create table doctor_recommendation (
  id bigint generated always as identity primary key,
  position text not null check (position in ('HOME', 'DISEASE', 'CHANNEL', 'SEARCH')),
  scope_key text not null check (char_length(scope_key) <= 60),
  adcode text check (adcode ~ '^\d{6}$'),
  doctor_id bigint not null references doctor_doctor (id),
  sort int not null check (sort between 1 and 999),
  reason text not null default '' check (char_length(reason) <= 100),
  start_at timestamptz not null,
  end_at timestamptz not null,
  state text not null check (state in ('WAITING', 'ON', 'ENDED', 'OFF')),
  off_opinion text check (char_length(off_opinion) <= 500),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (end_at > start_at and end_at <= start_at + interval '180 days'),
  check (case position when 'HOME' then scope_key = '*' when 'DISEASE' then scope_key ~ '^disease:\d+$' when 'CHANNEL' then scope_key ~ '^channel:\d+$' else scope_key ~ '^keyword:.+$' end),
  constraint doctor_recommendation_overlap exclude using gist (position with =, scope_key with =, doctor_id with =, tstzrange(start_at, end_at) with &&) where (state <> 'OFF')
);
create index doctor_recommendation_sort on doctor_recommendation (position, scope_key, sort);
create index doctor_recommendation_doctor on doctor_recommendation (doctor_id) where state in ('WAITING', 'ON');
create index doctor_recommendation_turn on doctor_recommendation (state, start_at, end_at) where state in ('WAITING', 'ON');

create table doctor_card (
  id bigint generated always as identity primary key,
  doctor_id bigint not null unique references doctor_doctor (id),
  template text not null check (template in ('BLUE', 'GREEN', 'GOLD')),
  headline text not null default '' check (char_length(headline) <= 30),
  show_fields text[] not null,
  -- channel's code that is printed
  scene_code_id bigint unique,
  code_link text,
  card_file_id bigint,
  poster_file_id bigint,
  -- small picture of the poster for lists, as a data address
  thumb text check (char_length(thumb) <= 20000),
  -- of all printed facts, as they were drawn
  source_hash text,
  state text not null check (state in ('NONE', 'GENERATING', 'READY', 'FAILED', 'STALE', 'DISABLED')),
  fail_reason text check (char_length(fail_reason) <= 200),
  share_count int not null default 0 check (share_count >= 0),
  scan_count int not null default 0 check (scan_count >= 0),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (state <> 'READY' or num_nonnulls(card_file_id, poster_file_id, source_hash, scene_code_id) = 4),
  check (state <> 'FAILED' or fail_reason is not null)
);
create index doctor_card_state on doctor_card (state, updated_at);

create table doctor_card_task (
  id bigint generated always as identity primary key,
  task_no text not null unique,
  doctor_ids bigint[] not null check (cardinality(doctor_ids) between 1 and 500),
  total int not null,
  done int not null default 0 check (done >= 0),
  failures jsonb not null default '[]',
  state text not null check (state in ('RUNNING', 'DONE', 'PARTIAL')),
  created_at timestamptz not null,
  created_by bigint not null,
  updated_at timestamptz not null
);
create index doctor_card_task_owner on doctor_card_task (created_by, id desc);
