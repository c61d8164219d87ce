-- append-only: doctor_consult_step, doctor_pay_notice
-- Paid consultations with their payments and refunds, and which channel brought a doctor or a patient.

create table doctor_attribution (
  id bigint generated always as identity primary key,
  subject_type text not null check (subject_type in ('DOCTOR', 'PATIENT')),
  subject_id bigint not null,
  subject_name text not null check (char_length(subject_name) between 1 and 60),
  mobile_masked text,
  -- null: ORGANIC
  channel_id bigint,
  scene_code_id bigint,
  agent_id bigint,
  -- the doctor whose code the patient scanned
  via_doctor_id bigint references doctor_doctor (id),
  scan_id bigint,
  scanned_at timestamptz,
  method text not null check (method in ('SCAN', 'MANUAL', 'IMPORT', 'ORGANIC')),
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  change_id bigint,
  -- the patient that this one was merged into
  merged_into bigint check (merged_into is null or ended_at is not null),
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (method <> 'ORGANIC' or num_nonnulls(channel_id, scan_id) = 0),
  check (method <> 'SCAN' or scan_id is not null),
  check (via_doctor_id is null or subject_type = 'PATIENT')
);
create unique index doctor_attribution_live on doctor_attribution (subject_type, subject_id) where ended_at is null;
create index doctor_attribution_channel on doctor_attribution (channel_id, started_at);
create index doctor_attribution_subject on doctor_attribution (subject_type, subject_id, started_at);
create index doctor_attribution_list on doctor_attribution (subject_type, started_at desc, id desc) where ended_at is null;
create index doctor_attribution_agent on doctor_attribution (agent_id) where ended_at is null;
create index doctor_attribution_name on doctor_attribution using gin (subject_name gin_trgm_ops);

create table doctor_attribution_change (
  id bigint generated always as identity primary key,
  change_no text not null unique,
  subject_type text not null check (subject_type in ('DOCTOR', 'PATIENT')),
  subject_id bigint not null,
  subject_name text not null,
  from_channel_id bigint,
  to_channel_id bigint,
  from_agent_id bigint,
  to_agent_id bigint,
  effective_on date not null,
  reason text not null check (char_length(reason) between 2 and 500),
  evidence_file_ids bigint[] not null default '{}' check (cardinality(evidence_file_ids) <= 9),
  source text not null check (source in ('MANUAL', 'IMPORT')),
  batch_no text,
  maker_id bigint not null,
  checker_id bigint,
  opinion text check (char_length(opinion) <= 500),
  decided_at timestamptz,
  -- moment at which the new attribution was opened
  performed_at timestamptz,
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (checker_id <> maker_id),
  check (state not in ('APPROVED', 'REJECTED') or checker_id is not null),
  check (performed_at is null or state = 'APPROVED'),
  check (to_channel_id is distinct from from_channel_id or to_agent_id is distinct from from_agent_id)
);
create unique index doctor_attribution_change_open on doctor_attribution_change (subject_type, subject_id) where state = 'PENDING' or (state = 'APPROVED' and performed_at is null);
create index doctor_attribution_change_state on doctor_attribution_change (state, created_at);
create index doctor_attribution_change_due on doctor_attribution_change (effective_on) where state = 'APPROVED' and performed_at is null;
alter table doctor_attribution add foreign key (change_id) references doctor_attribution_change (id);

-- Agents' attributions go to their successors on this day.
create table doctor_agent_handover (
  id bigint generated always as identity primary key,
  handover_no text not null,
  from_agent_id bigint not null,
  to_agent_id bigint not null,
  doctor_ids bigint[] not null,
  channel_ids bigint[] not null,
  effective_on date not null,
  applied_at timestamptz,
  unique (handover_no, from_agent_id, to_agent_id)
);

create table doctor_consult_order (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  doctor_id bigint not null references doctor_doctor (id),
  opening_id bigint not null references doctor_service_opening (id),
  item_id bigint not null references doctor_service_item (id),
  item_type text not null,
  -- name, price, billing, hours and refund rule as they were sold
  item_snapshot jsonb not null,
  product_line_id bigint,
  patient_id bigint not null,
  -- before a merge
  patient_origin_id bigint,
  patient_name_cipher text not null,
  patient_name_masked text not null,
  patient_mobile_cipher text,
  patient_mobile_hash text,
  patient_mobile_masked text,
  -- of the doctor, for the data scope
  adcode text,
  scan_id bigint,
  -- known at creation, frozen at payment
  channel_id bigint,
  scene_code_id bigint,
  agent_id bigint,
  attribution_id bigint references doctor_attribution (id),
  price_fen bigint not null check (price_fen between 0 and 500000),
  discount_fen bigint not null default 0 check (discount_fen between 0 and price_fen),
  pay_fen bigint not null,
  discount_source text not null default 'NONE' check (discount_source in ('VIP', 'NONE')),
  -- a discount was due and the VIP's budget had no room
  budget_used_up boolean not null default false,
  slot_at timestamptz,
  slot_held boolean not null default false,
  assistant_id bigint,
  overload boolean not null default false,
  inquiry_id bigint,
  group_id text,
  expire_at timestamptz not null,
  pay_channel text not null check (pay_channel in ('WECHAT', 'ALIPAY', 'FREE')),
  -- the payer was sent to the channel: from now on only the channel knows
  pay_opened_at timestamptz,
  pay_asked_at timestamptz,
  pay_result text check (pay_result in ('WAITING', 'UNKNOWN', 'FAILED', 'CLOSED', 'PAID')),
  -- what was wrong with money that came in
  pay_flag text check (pay_flag in ('AMOUNT', 'LATE', 'TWICE')),
  channel_trade_no text,
  paid_at timestamptz,
  accept_due_at timestamptz,
  accepted_at timestamptz,
  reply_due_at timestamptz,
  first_reply_at timestamptz,
  ended_at timestamptz,
  completed_at timestamptz,
  used_replies int not null default 0 check (used_replies >= 0),
  -- as consultation reported them, for the doctor's figures
  reply_seconds int,
  stars int check (stars between 1 and 5),
  inquiry_seq int not null default 0,
  refunded_fen bigint not null default 0,
  -- state to which a refund that fails or is partial leads back
  state_before text check (state_before in ('PAID', 'SERVING', 'COMPLETED')),
  complete_pending boolean not null default false,
  close_reason text check (close_reason in ('TIMEOUT', 'STAFF', 'PATIENT', 'DOCTOR_DISABLED')),
  state text not null check (state in ('WAIT_PAY', 'PAID', 'SERVING', 'COMPLETED', 'REFUNDING', 'REFUNDED', 'CLOSED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  unique (pay_channel, channel_trade_no),
  check (pay_fen = price_fen - discount_fen),
  check (discount_fen = 0 or discount_source = 'VIP'),
  check (refunded_fen between 0 and pay_fen),
  check ((state = 'REFUNDING') = (state_before is not null)),
  check ((state = 'CLOSED') = (close_reason is not null)),
  check (state in ('WAIT_PAY', 'CLOSED') or paid_at is not null),
  check (state <> 'REFUNDED' or refunded_fen = pay_fen),
  check (not slot_held or slot_at is not null),
  check (num_nonnulls(patient_mobile_cipher, patient_mobile_hash, patient_mobile_masked) in (0, 3))
);
create unique index doctor_consult_order_live on doctor_consult_order (patient_id, opening_id) where state in ('WAIT_PAY', 'PAID', 'SERVING');
create index doctor_consult_order_state on doctor_consult_order (state, created_at);
create index doctor_consult_order_list on doctor_consult_order (created_at desc, id desc);
create index doctor_consult_order_doctor on doctor_consult_order (doctor_id, created_at);
create index doctor_consult_order_channel on doctor_consult_order (channel_id, paid_at);
create index doctor_consult_order_paid on doctor_consult_order (paid_at);
create index doctor_consult_order_mobile on doctor_consult_order (patient_mobile_hash);
create index doctor_consult_order_patient on doctor_consult_order (patient_id, paid_at);
create index doctor_consult_order_opening on doctor_consult_order (opening_id, state);
create index doctor_consult_order_expire on doctor_consult_order (expire_at) where state = 'WAIT_PAY';
create index doctor_consult_order_accept on doctor_consult_order (accept_due_at) where state = 'PAID';
create index doctor_consult_order_slot on doctor_consult_order (opening_id, slot_at) where slot_held;

-- Steps that consultation reported, each once.
create table doctor_consult_step (
  order_id bigint not null references doctor_consult_order (id),
  step text not null check (step in ('ACCEPT', 'FIRST_REPLY', 'REPLY', 'COMPLETE', 'NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE', 'PATIENT')),
  used_replies int not null,
  at timestamptz not null,
  primary key (order_id, step, used_replies)
);

-- What pay channels told, each trade once.
create table doctor_pay_notice (
  id bigint generated always as identity primary key,
  pay_channel text not null,
  channel_trade_no text not null,
  order_no text not null,
  order_id bigint references doctor_consult_order (id),
  amount_fen bigint not null,
  paid_at timestamptz not null,
  source text not null check (source in ('NOTICE', 'QUERY', 'INTRANET')),
  outcome text not null check (outcome in ('PAID', 'AMOUNT', 'LATE', 'TWICE', 'UNKNOWN_ORDER')),
  at timestamptz not null,
  unique (pay_channel, channel_trade_no, outcome)
);
create index doctor_pay_notice_order on doctor_pay_notice (order_id);

create table doctor_consult_refund (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  order_id bigint not null references doctor_consult_order (id),
  amount_fen bigint not null check (amount_fen > 0),
  -- how the amount came about (rule, paid, used, quota)
  calc jsonb not null,
  reason text not null check (reason in ('NO_ACCEPT', 'NO_REPLY', 'DOCTOR_REFUSE', 'PATIENT', 'COMPLAINT')),
  opinion text check (char_length(opinion) <= 500),
  patient_note text check (char_length(patient_note) <= 200),
  -- null: the system
  maker_id bigint,
  checker_id bigint,
  check_opinion text check (char_length(check_opinion) <= 500),
  state text not null check (state in ('APPLIED', 'PENDING', 'SUCCESS', 'FAILED', 'UNKNOWN', 'REJECTED')),
  channel_refund_no text,
  fail_reason text,
  asked_at timestamptz,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (checker_id <> maker_id)
);
create unique index doctor_consult_refund_open on doctor_consult_refund (order_id) where state in ('APPLIED', 'PENDING', 'UNKNOWN');
create index doctor_consult_refund_order on doctor_consult_refund (order_id);
create index doctor_consult_refund_waiting on doctor_consult_refund (state, created_at) where state in ('APPLIED', 'PENDING', 'UNKNOWN');

create table doctor_patient (
  id bigint generated always as identity primary key,
  doctor_id bigint not null references doctor_doctor (id),
  patient_id bigint not null,
  patient_origin_id bigint,
  first_source text not null check (first_source in ('SCENE_CODE', 'CARD', 'SEARCH', 'ASSIGN')),
  first_at timestamptz not null,
  last_at timestamptz not null,
  order_count int not null default 0 check (order_count >= 0),
  state text not null default 'FOLLOWING' check (state in ('FOLLOWING', 'UNFOLLOWED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (doctor_id, patient_id),
  check (last_at >= first_at)
);
create index doctor_patient_patient on doctor_patient (patient_id);
