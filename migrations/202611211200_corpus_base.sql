-- Configuring half of the corpus: dictionary, scenes, packages and the parts of their drafts.
create extension if not exists pg_trgm;

create table corpus_disease (
  id bigint generated always as identity primary key,
  disease_code text not null unique check (char_length(disease_code) between 1 and 32),
  disease_name text not null check (char_length(disease_name) between 1 and 64),
  icd10_prefixes text[] not null check (cardinality(icd10_prefixes) >= 1),
  -- 1 = in the corpus, 0 = in the dictionary only
  available smallint not null check (available in (0, 1)),
  sort_no int not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index corpus_disease_order on corpus_disease (available, sort_no, id);
create index corpus_disease_name on corpus_disease using gin (disease_name gin_trgm_ops);

create table corpus_scene (
  id bigint generated always as identity primary key,
  name text not null check (char_length(name) between 1 and 32),
  disease_id bigint not null references corpus_disease (id),
  main_scene_id bigint,
  -- 0 group chat, 1 single chat, 2 both
  chat_flag smallint not null check (chat_flag in (0, 1, 2)),
  copied_from_id bigint references corpus_scene (id),
  sort_no int not null,
  version int not null default 1,
  deleted_at timestamptz,
  deleted_by bigint,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (id, disease_id),
  -- a child belongs to the disease of its main scene
  foreign key (main_scene_id, disease_id) references corpus_scene (id, disease_id),
  check (main_scene_id <> id)
);
create unique index corpus_scene_name on corpus_scene (disease_id, coalesce(main_scene_id, 0), lower(name)) where deleted_at is null;
create index corpus_scene_order on corpus_scene (disease_id, sort_no, id) where deleted_at is null;
create index corpus_scene_main on corpus_scene (main_scene_id) where main_scene_id is not null;

create table corpus_scene_package (
  id bigint generated always as identity primary key,
  scene_id bigint not null unique,
  disease_id bigint not null,
  state text not null check (state in ('UNPUBLISHED', 'RUNNING', 'SUSPENDED', 'OFFLINE')),
  entry_mode text not null default 'AUTO' check (entry_mode in ('AUTO', 'MANUAL')),
  reentry text not null default 'NEVER' check (reentry in ('NEVER', 'AFTER_DAYS')),
  reentry_days int check (reentry_days between 1 and 365),
  priority int not null default 5 check (priority between 1 and 9),
  pause_on_patient_reply boolean not null default true,
  pause_on_doctor_reply boolean not null default true,
  pause_hours int not null default 24 check (pause_hours between 1 and 168),
  resume_mode text not null default 'KEEP' check (resume_mode in ('KEEP', 'SHIFT')),
  max_delay_hours int not null default 24 check (max_delay_hours between 1 and 72),
  active_guard_min int not null default 10 check (active_guard_min between 0 and 60),
  recheck_launch boolean not null default false,
  calendar_mode text not null default 'EVERY' check (calendar_mode in ('EVERY', 'WORKDAY')),
  goal text not null default 'NONE' check (goal in ('NONE', 'REPLY', 'FORM_DONE', 'ORDER_PAID', 'INSPECTION', 'REVISIT')),
  goal_window_days int not null default 7 check (goal_window_days between 1 and 30),
  end_after_days int check (end_after_days between 1 and 365),
  child_exclusive boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  foreign key (scene_id, disease_id) references corpus_scene (id, disease_id),
  check ((reentry = 'AFTER_DAYS') = (reentry_days is not null))
);
create index corpus_scene_package_state on corpus_scene_package (state);
create index corpus_scene_package_disease on corpus_scene_package (disease_id, state);

create table corpus_variable_info (
  id bigint primary key,
  variable_code text not null unique,
  variable_name text not null,
  -- 1 patient, 2 doctor, 3 assistant
  user_type smallint not null check (user_type in (1, 2, 3)),
  -- 1 for conditions, 2 for message texts, 3 for both
  variable_info_flag smallint not null check (variable_info_flag in (1, 2, 3)),
  value_type text not null check (value_type in ('NUMBER', 'OPTION')),
  options jsonb not null,
  unit text not null,
  decimals int not null check (decimals between 0 and 3),
  operators text[] not null check (cardinality(operators) >= 1),
  time_derived boolean not null,
  source text not null,
  refresh_on text[] not null,
  check ((value_type = 'OPTION') = (jsonb_array_length(options) > 0))
);

create table corpus_condition_set (
  id bigint generated always as identity primary key,
  scene_package_id bigint not null references corpus_scene_package (id),
  -- 1 launch, 2 stop
  exp_type smallint not null check (exp_type in (1, 2)),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (scene_package_id, exp_type)
);

create table corpus_scene_condition (
  id bigint generated always as identity primary key,
  condition_set_id bigint not null references corpus_condition_set (id),
  disease_id bigint not null references corpus_disease (id),
  group_no smallint not null check (group_no between 1 and 5),
  sort_no smallint not null,
  role smallint not null check (role in (1, 2, 3)),
  variable_id bigint not null references corpus_variable_info (id),
  variable_name text not null,
  operator_value text not null check (operator_value in ('>', '<', '=', '>=', '<=', 'range')),
  condition_value text not null check (condition_value <> ''),
  -- 0 not effective, 1 effective
  checked smallint not null check (checked in (0, 1)),
  created_at timestamptz not null,
  created_by bigint
);
create index corpus_scene_condition_order on corpus_scene_condition (condition_set_id, group_no, sort_no);

create table corpus_schedule_item (
  id bigint generated always as identity primary key,
  item_key uuid not null unique,
  scene_package_id bigint not null references corpus_scene_package (id),
  day_offset int not null check (day_offset between 0 and 365),
  send_time text not null check (send_time ~ '^(0[89]|1[0-8]):(00|30)$' and send_time between '08:30' and '18:30'),
  target text not null check (target in ('AUTO', 'GROUP', 'SINGLE')),
  touch_kind text not null check (touch_kind in ('MEDICATION', 'CHECK', 'REVISIT', 'FORM', 'SERVICE', 'CARE', 'EDUCATION', 'PROMO')),
  item_conditions jsonb not null default '[]' check (jsonb_typeof(item_conditions) = 'array'),
  sort_no int not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  -- deferrable: one statement may swap the days of two items
  constraint corpus_schedule_item_slot unique (scene_package_id, day_offset, send_time) deferrable initially immediate
);

create table corpus_package_cycle (
  id bigint generated always as identity primary key,
  scene_package_id bigint not null unique references corpus_scene_package (id),
  time_option text not null check (time_option in ('EVERY_DAY', 'EVERY_OTHER_DAY', 'EVERY_TWO_DAYS')),
  send_time text not null check (send_time ~ '^(0[89]|1[0-8]):(00|30)$' and send_time between '08:30' and '18:30'),
  -- empty stands for the first 14 days
  age smallint check (age in (10, 20, 30)),
  play_mode text not null check (play_mode in ('SAME', 'ROTATE')),
  target text not null check (target in ('AUTO', 'GROUP', 'SINGLE')),
  touch_kind text not null check (touch_kind in ('MEDICATION', 'CHECK', 'REVISIT', 'FORM', 'SERVICE', 'CARE', 'EDUCATION', 'PROMO')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);

-- Stands in for the patient domain's facts, filled by demo data only.
create table corpus_trial_fact (
  patient_id bigint primary key,
  patient_name text not null,
  sex smallint not null check (sex in (1, 2)),
  age int not null,
  disease_code text not null,
  conversation_id text not null,
  -- {variableCode: {value, at, sourceLabel}} of the patient, his doctor and his assistant
  facts jsonb not null check (jsonb_typeof(facts) = 'object')
);
