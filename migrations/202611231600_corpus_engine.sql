-- The sending half of the corpus: frozen versions, runs of patients, touches, switches and previews.
create table corpus_package_version (
  id bigint generated always as identity primary key,
  scene_package_id bigint not null references corpus_scene_package (id),
  seq int not null check (seq > 0),
  state text not null check (state in ('AUDITING', 'PUBLISHED', 'REJECTED', 'WITHDRAWN', 'SUPERSEDED', 'OFFLINE')),
  snapshot jsonb not null check (jsonb_typeof(snapshot) = 'object'),
  -- sha256 of the snapshot with its keys in order
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  submit_note text not null default '' check (char_length(submit_note) <= 200),
  checks jsonb not null check (jsonb_typeof(checks) = 'array'),
  migrate_mode text check (migrate_mode in ('KEEP', 'MIGRATE')),
  submitted_by bigint not null,
  submitted_at timestamptz not null,
  audited_by bigint,
  audited_at timestamptz,
  opinion text not null default '' check (char_length(opinion) <= 200),
  version int not null default 1,
  unique (scene_package_id, seq),
  -- nothing is published, nor refused, by whom it was submitted
  check (audited_by <> submitted_by),
  check (state in ('AUDITING', 'WITHDRAWN') or audited_by is not null)
);
create unique index corpus_package_version_auditing on corpus_package_version (scene_package_id) where state = 'AUDITING';
create unique index corpus_package_version_published on corpus_package_version (scene_package_id) where state = 'PUBLISHED';

create function corpus_package_version_frozen() returns trigger language plpgsql as $$
begin
  if new.snapshot is distinct from old.snapshot or new.content_hash <> old.content_hash or new.scene_package_id <> old.scene_package_id
     or new.seq <> old.seq or new.submitted_by <> old.submitted_by or new.submitted_at <> old.submitted_at then
    raise exception 'a version of a scene package is never changed';
  end if;
  return new;
end $$;
create trigger corpus_package_version_frozen before update on corpus_package_version for each row execute function corpus_package_version_frozen();

create table corpus_scene_eval (
  scene_package_id bigint not null references corpus_scene_package (id),
  patient_id bigint not null,
  conversation_id bigint not null,
  result text not null check (result in ('ENTER', 'NOT', 'BLOCKED')),
  explain jsonb not null check (jsonb_typeof(explain) = 'array'),
  since timestamptz not null,
  evaluated_at timestamptz not null,
  -- the conditions were false since the last entry: they may let the patient in again
  armed boolean not null,
  primary key (scene_package_id, conversation_id, patient_id)
);
create index corpus_scene_eval_patient on corpus_scene_eval (patient_id);

create table corpus_follow_run (
  id bigint generated always as identity primary key,
  run_no text not null generated always as ('SF' || lpad(id::text, 8, '0')) stored unique,
  scene_package_id bigint not null references corpus_scene_package (id),
  package_version_id bigint not null references corpus_package_version (id),
  disease_id bigint not null references corpus_disease (id),
  scene_id bigint not null references corpus_scene (id),
  patient_id bigint not null,
  conversation_id bigint not null,
  group_id text,
  doctor_id bigint,
  assistant_operator_id bigint,
  entry_source text not null check (entry_source in ('AUTO', 'MANUAL')),
  entry_explain jsonb not null check (jsonb_typeof(entry_explain) = 'array'),
  entry_note text not null default '' check (char_length(entry_note) <= 200),
  entered_at timestamptz not null,
  base_date date not null,
  shift_days int not null default 0 check (shift_days >= 0),
  state text not null check (state in ('RUNNING', 'PAUSED', 'FINISHED', 'STOPPED')),
  pause_reason text check (pause_reason in ('PATIENT_REPLY', 'DOCTOR_REPLY', 'MANUAL')),
  paused_at timestamptz,
  paused_until timestamptz,
  stop_reason text check (stop_reason in ('STOP_CONDITION', 'SERVICE_END', 'NO_CHANNEL', 'CONSENT', 'DECEASED', 'CANCELLED', 'MERGED', 'SCENE_OFFLINE', 'MANUAL')),
  stop_explain jsonb not null default '[]' check (jsonb_typeof(stop_explain) = 'array'),
  ended_at timestamptz,
  sent_count int not null default 0 check (sent_count >= 0),
  read_count int not null default 0 check (read_count >= 0),
  replied_count int not null default 0 check (replied_count >= 0),
  converted_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'PAUSED') = (pause_reason is not null)),
  check ((state = 'PAUSED') = (paused_at is not null)),
  check ((state = 'STOPPED') = (stop_reason is not null)),
  check ((state in ('FINISHED', 'STOPPED')) = (ended_at is not null))
);
create unique index corpus_follow_run_live on corpus_follow_run (scene_package_id, conversation_id, patient_id) where state in ('RUNNING', 'PAUSED');
create index corpus_follow_run_patient on corpus_follow_run (patient_id, entered_at desc);
create index corpus_follow_run_conversation on corpus_follow_run (conversation_id, entered_at desc);
create index corpus_follow_run_version on corpus_follow_run (package_version_id, state);
create index corpus_follow_run_package on corpus_follow_run (scene_package_id, entered_at desc, id desc);
create index corpus_follow_run_entered on corpus_follow_run (entered_at desc, id desc);
create index corpus_follow_run_paused on corpus_follow_run (paused_until) where state = 'PAUSED';

create table corpus_follow_send (
  id bigint generated always as identity primary key,
  send_no text not null generated always as ('FS' || lpad(id::text, 10, '0')) stored unique,
  -- FU:{run}:{item}:{occurrence}
  dedupe_key text not null unique,
  run_id bigint not null references corpus_follow_run (id),
  scene_package_id bigint not null references corpus_scene_package (id),
  item_key text not null,
  -- schedule 0; cycle: the day age
  occurrence int not null check (occurrence >= 0),
  material_ids bigint[] not null,
  patient_id bigint not null,
  target text not null check (target in ('AUTO', 'GROUP', 'SINGLE')),
  touch_kind text not null check (touch_kind in ('MEDICATION', 'CHECK', 'REVISIT', 'FORM', 'SERVICE', 'CARE', 'EDUCATION', 'PROMO')),
  priority int not null check (priority between 1 and 9),
  item_conditions jsonb not null default '[]' check (jsonb_typeof(item_conditions) = 'array'),
  -- fixed at the first try and never changed by a repeat
  conversation_id bigint,
  sender_id bigint,
  due_at timestamptz not null,
  next_try_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null check (state in ('PLANNED', 'HELD', 'SENDING', 'UNKNOWN', 'SENT', 'FAILED', 'SKIPPED', 'CANCELLED')),
  reason_code text check (reason_code in ('KILL', 'PAUSED', 'ACTIVE', 'QUIET', 'CAP', 'EXPIRED', 'CONDITION_LOST', 'ITEM_CONDITION', 'NO_CONSENT', 'NO_CHANNEL', 'MATERIAL_OFF', 'RX_REQUIRED', 'REPEAT', 'MANUAL', 'KILL_SKIP')),
  gate_trace jsonb not null default '[]' check (jsonb_typeof(gate_trace) = 'array'),
  bubbles jsonb not null default '[]' check (jsonb_typeof(bubbles) = 'array'),
  attempts int not null default 0 check (attempts >= 0),
  last_error text,
  lease_until timestamptz,
  claimed_at timestamptz,
  sent_at timestamptz,
  last_seq bigint,
  read_at timestamptz,
  replied_at timestamptz,
  converted_at timestamptz,
  convert_event text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state in ('HELD', 'SKIPPED')) = (reason_code is not null)),
  check ((state in ('SENDING', 'UNKNOWN')) = (lease_until is not null)),
  check ((state = 'SENT') = (sent_at is not null)),
  check (state not in ('SENDING', 'UNKNOWN', 'SENT', 'FAILED') or conversation_id is not null)
);
create index corpus_follow_send_due on corpus_follow_send (next_try_at) where state in ('PLANNED', 'HELD');
create index corpus_follow_send_lease on corpus_follow_send (lease_until) where state in ('SENDING', 'UNKNOWN');
create index corpus_follow_send_patient on corpus_follow_send (patient_id, due_at desc);
create index corpus_follow_send_conversation on corpus_follow_send (conversation_id, sent_at desc);
create index corpus_follow_send_package on corpus_follow_send (scene_package_id, due_at desc, id desc);
create index corpus_follow_send_run on corpus_follow_send (run_id, due_at);
-- the breaker's last results
create index corpus_follow_send_result on corpus_follow_send (updated_at desc) where state in ('SENT', 'FAILED', 'UNKNOWN');
create index corpus_follow_send_order on corpus_follow_send (due_at desc, id desc);

-- Touches sent to a patient on a day; locked before they are counted.
create table corpus_touch_counter (
  patient_id bigint not null,
  day date not null,
  count int not null check (count >= 0),
  primary key (patient_id, day)
);

create table corpus_send_switch (
  id bigint generated always as identity primary key,
  scope_type text not null check (scope_type in ('ENGINE', 'SCENE', 'DOCTOR', 'CONVERSATION', 'PATIENT')),
  -- empty for ENGINE
  scope_id text not null,
  reason text not null check (char_length(reason) between 1 and 200),
  until timestamptz,
  -- null: the breaker
  by_user_id bigint,
  on_resume text check (on_resume in ('CATCH_UP', 'SKIP')),
  active boolean not null default true,
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint,
  check ((scope_type = 'ENGINE') = (scope_id = '')),
  check (active = (ended_at is null))
);
create unique index corpus_send_switch_active on corpus_send_switch (scope_type, scope_id) where active;
create index corpus_send_switch_order on corpus_send_switch (created_at desc, id desc);

create table corpus_engine_setting (
  id smallint primary key check (id = 1),
  cap_per_day int not null default 3 check (cap_per_day between 1 and 20),
  cap7_days int not null default 10 check (cap7_days between 1 and 100),
  same_material_gap_days int not null default 7 check (same_material_gap_days between 0 and 90),
  rate_per_second int not null default 50 check (rate_per_second between 1 and 1000),
  breaker_window int not null default 200 check (breaker_window between 20 and 10000),
  breaker_fail_bp int not null default 2000 check (breaker_fail_bp between 100 and 10000),
  version int not null default 1,
  updated_at timestamptz,
  updated_by bigint
);
insert into corpus_engine_setting (id) values (1);

create table corpus_scene_preview (
  id bigint generated always as identity primary key,
  scene_package_id bigint not null references corpus_scene_package (id),
  kind text not null check (kind in ('DRY_RUN', 'SIMULATE')),
  source text not null check (source in ('DRAFT', 'PUBLISHED')),
  content_hash text not null,
  snapshot jsonb not null check (jsonb_typeof(snapshot) = 'object'),
  as_of timestamptz not null,
  days int not null check (days between 1 and 14),
  state text not null check (state in ('RUNNING', 'DONE', 'FAILED')),
  done_count int not null default 0,
  total_count int not null default 0,
  summary jsonb not null default '{}' check (jsonb_typeof(summary) = 'object'),
  fault text not null default '',
  created_at timestamptz not null,
  created_by bigint not null,
  finished_at timestamptz
);
create index corpus_scene_preview_package on corpus_scene_preview (scene_package_id, created_at desc);

create table corpus_scene_preview_row (
  preview_id bigint not null references corpus_scene_preview (id) on delete cascade,
  patient_id bigint not null,
  conversation_id bigint not null,
  doctor_id bigint,
  result text not null check (result in ('ENTER', 'LIVE', 'NOT', 'BLOCKED')),
  reason text not null default '',
  explain jsonb not null check (jsonb_typeof(explain) = 'array'),
  primary key (preview_id, patient_id, conversation_id)
);
create index corpus_scene_preview_row_result on corpus_scene_preview_row (preview_id, result, patient_id);

-- Facts of real patients come from their own domains now.
drop table corpus_trial_fact;
