-- Requests to accept or change qualification facts, and what machine and auditor found of each.

create table doctor_qual_apply (
  id bigint generated always as identity primary key,
  apply_no text not null unique,
  doctor_id bigint not null references doctor_doctor (id),
  apply_type text not null check (apply_type in ('FIRST', 'UPDATE', 'RENEW', 'TITLE', 'HOSPITAL')),
  -- proposed facts and certificates; numbers in it are encrypted
  payload jsonb not null,
  -- facts in force when it was submitted
  before jsonb not null,
  source text not null check (source in ('SCAN', 'INVITE', 'IMPORT', 'STAFF')),
  state text not null check (state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  round int not null default 1 check (round >= 1),
  submitted_at timestamptz,
  due_at timestamptz,
  -- members of staff who typed it in; they do not audit it
  entered_by bigint,
  hospital_apply_id bigint,
  lease_user_id bigint,
  lease_user_name text,
  lease_token text,
  lease_until timestamptz,
  first_auditor_id bigint,
  first_auditor_name text,
  second_auditor_id bigint,
  recheck_reason text check (recheck_reason in ('OVERRIDE', 'LEVEL')),
  reject_reasons text[] not null default '{}',
  -- what has to be handed in again
  return_items text[] not null default '{}',
  doctor_wording text not null default '' check (char_length(doctor_wording) <= 500),
  internal_note text not null default '' check (char_length(internal_note) <= 500),
  returned_at timestamptz,
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'REVIEWING') = (lease_user_id is not null)),
  check (num_nonnulls(lease_user_id, lease_token, lease_until) in (0, 3)),
  check (state <> 'RECHECK' or (first_auditor_id is not null and recheck_reason is not null)),
  check (state in ('RETURNED', 'WITHDRAWN') or submitted_at is not null),
  check (second_auditor_id is null or second_auditor_id <> first_auditor_id),
  check (first_auditor_id is null or entered_by is null or first_auditor_id <> entered_by)
);
create unique index doctor_qual_apply_open on doctor_qual_apply (doctor_id) where state in ('PENDING', 'REVIEWING', 'RECHECK', 'RETURNED');
create index doctor_qual_apply_queue on doctor_qual_apply (state, submitted_at);
create index doctor_qual_apply_lease on doctor_qual_apply (lease_user_id) where lease_user_id is not null;
create index doctor_qual_apply_doctor on doctor_qual_apply (doctor_id);
create index doctor_qual_apply_hospital on doctor_qual_apply (hospital_apply_id) where hospital_apply_id is not null;

create table doctor_qual_check (
  apply_id bigint not null references doctor_qual_apply (id),
  round int not null,
  check_code text not null check (check_code ~ '^Q\d{2}$'),
  machine_result text not null check (machine_result in ('PASS', 'WARN', 'FAIL', 'UNKNOWN')),
  explain text not null,
  hard boolean not null,
  human_verdict text check (human_verdict in ('AGREE', 'OVERRIDE', 'FAIL')),
  note text not null default '' check (char_length(note) <= 200),
  updated_at timestamptz not null,
  primary key (apply_id, round, check_code)
);

-- A registration from outside that arrives twice is answered with what the first one made.
create table doctor_registration (
  mobile_hash text not null,
  body_hash text not null,
  doctor_id bigint not null references doctor_doctor (id),
  at timestamptz not null,
  primary key (mobile_hash, body_hash)
);

alter table doctor_cert add foreign key (qual_apply_id) references doctor_qual_apply (id);
