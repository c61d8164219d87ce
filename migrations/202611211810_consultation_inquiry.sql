-- append-only: consultation_group_board
-- Groups, inquiries, the assistants' queue, desks, visit records, video rooms and the links of participants.

create table consultation_guidance_desk (
  id bigint generated always as identity primary key,
  desk_code text not null unique check (desk_code ~ '^[A-Z0-9_]{2,32}$'),
  desk_name text not null unique check (char_length(desk_name) between 1 and 20),
  assistant_ids bigint[] not null check (cardinality(assistant_ids) >= 1),
  source_type text check (source_type in ('CHANNEL', 'SCENE_CODE', 'PRODUCT', 'DISEASE')),
  duty_from text not null check (duty_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  duty_to text not null check (duty_to ~ '^([01]\d|2[0-3]):[0-5]\d$' and duty_to > duty_from),
  -- 1 = Monday … 7 = Sunday
  weekdays int[] not null check (cardinality(weekdays) between 1 and 7 and weekdays <@ array[1, 2, 3, 4, 5, 6, 7]),
  welcome_text text not null default '' check (char_length(welcome_text) <= 500),
  off_hours_text text not null default '' check (char_length(off_hours_text) <= 500),
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  -- patients whom no other desk expects are received here
  check (desk_code <> 'DEFAULT' or enabled)
);

-- A source belongs to one enabled desk; rows of a disabled desk are taken out.
create table consultation_desk_source (
  source_type text not null check (source_type in ('CHANNEL', 'SCENE_CODE', 'PRODUCT', 'DISEASE')),
  source_id bigint not null,
  source_name text not null default '',
  desk_id bigint not null references consultation_guidance_desk (id),
  enabled boolean not null,
  primary key (desk_id, source_type, source_id)
);
create unique index consultation_desk_source_once on consultation_desk_source (source_type, source_id) where enabled;

create table consultation_medical_group (
  group_id text primary key check (group_id ~ '^(YH|DZT)\d{8,18}$'),
  -- the conversation of the message store
  conv_id bigint not null unique,
  kind text not null check (kind in ('DOCTOR', 'DESK')),
  name text not null check (char_length(name) between 1 and 60),
  doctor_id bigint,
  doctor_operator_id bigint,
  desk_id bigint references consultation_guidance_desk (id),
  sufferer_operator_id bigint not null,
  patient_id bigint not null,
  current_inquiry_id bigint,
  owner_assistant_id bigint,
  last_assistant_id bigint,
  last_assistant_at timestamptz,
  work_state text not null check (work_state in ('QUEUED', 'SERVING', 'SNOOZED', 'DONE')),
  queued_at timestamptz,
  -- first patient message not yet answered by doctor or assistant
  waiting_since timestamptz,
  unanswered int not null default 0 check (unanswered >= 0),
  sla_due_at timestamptz,
  snooze_until timestamptz,
  priority int not null default 0 check (priority between 0 and 2),
  crisis_at timestamptz,
  tags text[] not null default '{}' check (cardinality(tags) <= 8),
  send_policy text not null check (send_policy in ('IN_SERVICE', 'ALWAYS')),
  off_hours_at timestamptz,
  routed_group_id text,
  source text not null check (source in ('ORDER', 'DESK', 'STAFF', 'CODE')),
  demo_bot boolean not null default false,
  last_message_at timestamptz,
  archived_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check ((kind = 'DOCTOR') = (group_id like 'YH%')),
  check ((kind = 'DOCTOR') = (doctor_id is not null) and (kind = 'DOCTOR') = (doctor_operator_id is not null) and (kind = 'DESK') = (desk_id is not null)),
  check ((owner_assistant_id is not null) = (work_state in ('SERVING', 'SNOOZED'))),
  check ((snooze_until is not null) = (work_state = 'SNOOZED'))
);
create sequence consultation_group_serial start with 10000001;
create unique index consultation_medical_group_doctor on consultation_medical_group (sufferer_operator_id, doctor_operator_id) where kind = 'DOCTOR';
create unique index consultation_medical_group_desk on consultation_medical_group (sufferer_operator_id, desk_id) where kind = 'DESK';
create unique index consultation_medical_group_inquiry on consultation_medical_group (current_inquiry_id) where current_inquiry_id is not null;
create index consultation_medical_group_queue on consultation_medical_group (work_state, priority desc, sla_due_at, queued_at);
create index consultation_medical_group_owner on consultation_medical_group (owner_assistant_id, work_state);
create index consultation_medical_group_of_doctor on consultation_medical_group (doctor_operator_id);
create index consultation_medical_group_of_patient on consultation_medical_group (sufferer_operator_id);
create index consultation_medical_group_snoozed on consultation_medical_group (snooze_until) where work_state = 'SNOOZED';

create table consultation_inquiry (
  id bigint generated always as identity primary key,
  inquiry_no text not null unique,
  group_id text references consultation_medical_group (group_id),
  doctor_id bigint not null,
  doctor_operator_id bigint not null,
  doctor_name text not null,
  patient_id bigint not null,
  sufferer_operator_id bigint not null,
  patient_name text not null,
  order_id bigint not null unique,
  order_no text not null,
  opening_id bigint,
  item_id bigint not null,
  item_name text not null,
  service_type text not null check (service_type in ('TEXT', 'PHONE', 'VIDEO', 'FOLLOW_UP', 'REPORT', 'SECOND_OPINION', 'PRIVATE')),
  care_kind text not null check (care_kind in ('CONSULT', 'DIAGNOSIS')),
  billing text not null check (billing in ('TIME', 'REPLIES', 'PERIOD')),
  fee_fen bigint not null check (fee_fen >= 0),
  accept_hours int not null check (accept_hours > 0),
  reply_hours int not null check (reply_hours > 0),
  valid_hours int not null check (valid_hours > 0),
  source text not null check (source in ('PATIENT', 'DESK', 'STAFF')),
  chief_complaint text not null default '' check (char_length(chief_complaint) <= 1000),
  illness_days int check (illness_days >= 0),
  attachment_file_ids bigint[] not null default '{}' check (cardinality(attachment_file_ids) <= 9),
  allergy_note text not null default '' check (char_length(allergy_note) <= 1000),
  server_status text not null check (server_status in ('0', '1', '2', '3', '4', '5', '6', '7')),
  status_at timestamptz not null,
  paid_at timestamptz,
  accept_due_at timestamptz,
  accepted_at timestamptz,
  reply_due_at timestamptz,
  expire_at timestamptz,
  end_confirm_due_at timestamptz,
  ended_at timestamptz,
  settle_at timestamptz,
  settled_at timestamptz,
  slot_at timestamptz,
  slot_reminded_at timestamptz,
  duration_min int check (duration_min > 0),
  round_limit int not null default 0 check (round_limit >= 0),
  round_used int not null default 0 check (round_used >= 0),
  -- a patient message stands that no doctor's message has answered
  round_open boolean not null default false,
  video_sec_limit int not null default 0 check (video_sec_limit >= 0),
  video_sec_used int not null default 0 check (video_sec_used >= 0),
  doctor_reply_count int not null default 0 check (doctor_reply_count >= 0),
  first_doctor_reply_at timestamptz,
  first_assistant_reply_at timestamptz,
  reminded_at timestamptz,
  end_reason text check (end_reason in ('STAFF', 'DOCTOR', 'PATIENT', 'TIMEOUT', 'ROUNDS', 'UNCONFIRMED')),
  close_reason text check (close_reason in ('C01', 'C02', 'C03', 'C04', 'C05', 'C06', 'C99')),
  close_note text check (char_length(close_note) <= 200),
  extended_hours int not null default 0 check (extended_hours >= 0),
  extended_rounds int not null default 0 check (extended_rounds >= 0),
  extend_count int not null default 0 check (extend_count >= 0),
  refunded_fen bigint not null default 0 check (refunded_fen between 0 and fee_fen),
  refund_state text not null default 'NONE' check (refund_state in ('NONE', 'PENDING', 'DONE', 'FAILED')),
  start_seq bigint,
  end_seq bigint,
  stars int check (stars between 1 and 5),
  rate_tags text[] not null default '{}',
  rate_text text check (char_length(rate_text) <= 300),
  rated_at timestamptz,
  qc_score int check (qc_score between 0 and 100),
  qc_tags text[] not null default '{}',
  qc_by bigint,
  qc_at timestamptz,
  qc_note text check (char_length(qc_note) <= 500),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (server_status not in ('1', '2', '3') or group_id is not null),
  check ((server_status = '4') = (ended_at is not null)),
  check ((settle_at is null) = (ended_at is null)),
  check (server_status not in ('2', '3') or (accepted_at is not null and expire_at is not null))
);
create unique index consultation_inquiry_live_group on consultation_inquiry (group_id) where server_status in ('1', '2', '3');
create unique index consultation_inquiry_live_pair on consultation_inquiry (patient_id, doctor_id) where server_status in ('0', '1', '2', '3');
create index consultation_inquiry_doctor on consultation_inquiry (doctor_id, created_at);
create index consultation_inquiry_patient on consultation_inquiry (patient_id, created_at);
create index consultation_inquiry_accept on consultation_inquiry (server_status, accept_due_at);
create index consultation_inquiry_expire on consultation_inquiry (server_status, expire_at);
create index consultation_inquiry_settle on consultation_inquiry (settle_at) where server_status = '4' and settled_at is null;
create index consultation_inquiry_created on consultation_inquiry (created_at desc, id desc);

alter table consultation_medical_group add foreign key (current_inquiry_id) references consultation_inquiry (id);

create table consultation_assistant_duty (
  assistant_id bigint primary key,
  operator_id bigint not null unique,
  user_id bigint not null unique,
  name text not null,
  avatar_file_id bigint,
  -- as doctor tells it: a person on leave or disabled is forced off
  person_state text not null check (person_state in ('ON_DUTY', 'OFF_DUTY', 'LEAVE', 'DISABLED')),
  state text not null default 'OFF' check (state in ('ON', 'BUSY', 'AWAY', 'OFF')),
  state_at timestamptz not null,
  max_concurrent int not null default 20 check (max_concurrent between 1 and 100),
  last_assigned_at timestamptz,
  last_connected_at timestamptz,
  seq int not null default 0,
  version int not null default 1,
  updated_at timestamptz not null,
  check (person_state not in ('LEAVE', 'DISABLED') or state = 'OFF')
);

-- Not offered again to whom it was given back, for ten minutes.
create table consultation_queue_pass (
  group_id text not null references consultation_medical_group (group_id),
  assistant_id bigint not null,
  until timestamptz not null,
  primary key (group_id, assistant_id)
);

create table consultation_group_board (
  id bigint generated always as identity primary key,
  group_id text not null references consultation_medical_group (group_id),
  inquiry_id bigint references consultation_inquiry (id),
  action text not null check (action in ('QUEUED', 'ASSIGNED', 'TAKEN', 'FIRST_REPLY', 'TRANSFERRED', 'TAKEN_OVER', 'RELEASED', 'SNOOZED', 'WOKEN', 'DONE', 'OWNER_GONE', 'ROUTED')),
  from_assistant_id bigint,
  to_assistant_id bigint,
  reason text check (char_length(reason) <= 500),
  seq bigint,
  wait_sec int check (wait_sec >= 0),
  over_sla boolean not null default false,
  at timestamptz not null
);
create index consultation_group_board_group on consultation_group_board (group_id, at);
create index consultation_group_board_at on consultation_group_board (at, to_assistant_id);

create table consultation_saved_view (
  id bigint generated always as identity primary key,
  assistant_id bigint not null,
  name text not null check (char_length(name) between 1 and 12),
  filters jsonb not null,
  created_at timestamptz not null,
  unique (assistant_id, name)
);

create table consultation_canned_reply (
  id bigint generated always as identity primary key,
  scope text not null check (scope in ('PUBLIC', 'PRIVATE')),
  -- 0 for public ones, else the staff user
  owner_id bigint not null,
  category text not null check (char_length(category) between 1 and 12),
  shortcut text not null check (shortcut ~ '^[a-z0-9一-龥]{1,20}$'),
  title text not null check (char_length(title) between 1 and 30),
  title_pinyin text not null default '',
  content text not null check (char_length(content) between 1 and 1000),
  attachment_file_ids bigint[] not null default '{}' check (cardinality(attachment_file_ids) <= 3),
  use_count int not null default 0,
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  unique (scope, owner_id, shortcut),
  check ((scope = 'PUBLIC') = (owner_id = 0))
);

create table consultation_group_note (
  id bigint generated always as identity primary key,
  group_id text not null references consultation_medical_group (group_id),
  after_seq bigint not null check (after_seq >= 0),
  content text not null check (char_length(content) between 1 and 1000),
  mentions bigint[] not null default '{}',
  created_at timestamptz not null,
  created_by bigint,
  author_name text not null,
  edited_at timestamptz,
  deleted_at timestamptz
);
create index consultation_group_note_place on consultation_group_note (group_id, after_seq);

create table consultation_risk_word (
  id bigint generated always as identity primary key,
  word text not null unique check (char_length(word) between 1 and 30),
  level text not null check (level in ('BLOCK', 'FLAG')),
  created_at timestamptz not null,
  created_by bigint
);

create table consultation_visit_record (
  id bigint generated always as identity primary key,
  inquiry_id bigint not null references consultation_inquiry (id),
  record_version int not null check (record_version >= 1),
  visit_no text not null unique,
  current boolean not null,
  visit_time timestamptz not null,
  doctor_id bigint not null,
  patient_id bigint not null,
  chief_complaint text not null default '' check (char_length(chief_complaint) <= 2000),
  present_illness text not null default '' check (char_length(present_illness) <= 2000),
  past_history text not null default '' check (char_length(past_history) <= 2000),
  allergy text not null default '' check (char_length(allergy) <= 2000),
  -- [{icd10, name, main}]
  diagnoses jsonb not null default '[]',
  advice text not null default '' check (char_length(advice) <= 2000),
  revisit_on date,
  suggestion_ids bigint[] not null default '{}',
  inspection_ids bigint[] not null default '{}',
  state text not null check (state in ('DRAFT', 'WAIT_DOCTOR', 'CONFIRMED', 'ARCHIVED', 'SUPERSEDED')),
  confirmed_by bigint,
  confirmed_at timestamptz,
  archived_at timestamptz,
  archived_file_id bigint,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  correct_reason text check (char_length(correct_reason) <= 500),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (inquiry_id, record_version),
  check (state not in ('CONFIRMED', 'ARCHIVED') or confirmed_by is not null)
);
create unique index consultation_visit_record_current on consultation_visit_record (inquiry_id) where current;
create index consultation_visit_record_patient on consultation_visit_record (patient_id, visit_time);
create index consultation_visit_record_doctor on consultation_visit_record (doctor_id, visit_time);
create index consultation_visit_record_state on consultation_visit_record (state, visit_time);

create table consultation_video_room (
  room_id bigint primary key check (room_id between 1 and 4294967295),
  conv_id bigint not null,
  group_id text references consultation_medical_group (group_id),
  inquiry_id bigint references consultation_inquiry (id),
  caller_id text not null,
  adapter text not null check (adapter in ('MESH', 'TRTC')),
  sound_only boolean not null default false,
  invite_id text,
  state text not null check (state in ('CALLING', 'IN_CALL', 'ENDED', 'MISSED', 'REJECTED', 'CANCELLED', 'FAILED')),
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  talk_sec int not null default 0 check (talk_sec >= 0),
  doctor_patient_sec int not null default 0 check (doctor_patient_sec >= 0),
  check ((state in ('CALLING', 'IN_CALL')) = (ended_at is null))
);
create unique index consultation_video_room_live on consultation_video_room (conv_id) where state in ('CALLING', 'IN_CALL');
create index consultation_video_room_conv on consultation_video_room (conv_id, started_at);

create table consultation_video_participant (
  room_id bigint not null references consultation_video_room (room_id),
  im_user_id text not null,
  joined_at timestamptz not null,
  last_seen_at timestamptz not null,
  left_at timestamptz,
  leave_reason text,
  worst_rtt_ms int,
  worst_lost_bp int,
  primary key (room_id, im_user_id, joined_at)
);

create table consultation_participant_ticket (
  id bigint generated always as identity primary key,
  token_hash text not null unique check (token_hash ~ '^[0-9a-f]{64}$'),
  im_user_id text not null,
  -- null: all groups of that doctor
  group_id text references consultation_medical_group (group_id),
  expires_at timestamptz not null,
  exchange_count int not null default 0 check (exchange_count between 0 and 20),
  wrong_count int not null default 0 check (wrong_count between 0 and 5),
  state text not null check (state in ('ACTIVE', 'LOCKED', 'REVOKED', 'EXPIRED')),
  demo boolean not null default false,
  issued_by bigint,
  reason text check (char_length(reason) <= 200),
  created_at timestamptz not null
);
create index consultation_participant_ticket_user on consultation_participant_ticket (im_user_id, state);

create table consultation_participant_session (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  ticket_id bigint not null references consultation_participant_ticket (id),
  im_user_id text not null,
  expires_at timestamptz not null,
  user_agent text check (char_length(user_agent) <= 300),
  ended_at timestamptz,
  created_at timestamptz not null
);
create index consultation_participant_session_ticket on consultation_participant_session (ticket_id);

-- What is kept of doctors' openings for cards and banners, fed by events.
create table consultation_ref_copy (
  kind text not null check (kind in ('DOCTOR', 'OPENING')),
  ref_id bigint not null,
  name text not null,
  facts jsonb not null default '{}',
  seq int not null default 0,
  updated_at timestamptz not null,
  primary key (kind, ref_id)
);

-- A staff user's look at a patient's panel is logged once in ten minutes.
create table consultation_panel_look (
  user_id bigint not null,
  group_id text not null,
  at timestamptz not null,
  primary key (user_id, group_id)
);
