-- append-only: enrolment_decision
-- Applications to enter a product, what is checked of them, and who decided what.
create table enrolment_apply (
  id bigint generated always as identity primary key,
  apply_no text not null unique,
  external_no text unique,
  external_hash text,
  product_line text not null check (product_line in ('STANDARD', 'SAAS', 'RSB', 'HMO')),
  enrol_type text not null check (enrol_type in ('NEW', 'RENEW', 'CHANGE_DRUG', 'TRANSFER')),
  source text not null check (source in ('MINI', 'STAFF', 'INSURER', 'IMPORT')),
  insured_item_id bigint not null,
  policy_id bigint not null,
  policy_no text not null,
  insurer_id bigint,
  insurer_name text,
  product_id bigint not null,
  product_name text not null,
  product_version_id bigint not null,
  plan_code text,
  coverage_start date,
  coverage_end date,
  insured_name text not null,
  id_type text not null,
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  gender text,
  birth_date date,
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  patient_id bigint,
  applicant_relation text not null check (applicant_relation in ('SELF', 'SPOUSE', 'PARENT', 'CHILD', 'GUARDIAN')),
  applicant_name text,
  applicant_id_no_cipher text,
  applicant_id_no_masked text,
  applicant_mobile_cipher text,
  applicant_mobile_masked text,
  address_cipher text,
  adcode text check (adcode ~ '^\d{6}$'),
  disease_name text not null,
  icd10 text not null,
  first_diagnosed_on date not null,
  stage text not null default '',
  -- What pathology and genes say, encrypted as a whole.
  medical_cipher text,
  drug_id bigint,
  drug_key text not null,
  drug_name text,
  dose_plan text not null default '',
  hospital_id bigint,
  hospital_name text,
  hospital_grade text,
  department_name text not null default '',
  doctor_name text not null default '',
  baseline jsonb,
  health_declaration text,
  measures jsonb,
  chronic_grade text check (chronic_grade in ('LOW', 'MID', 'HIGH', 'VERY_HIGH')),
  grade_note text not null default '',
  insurer_case_no text unique,
  insurer_decision text check (insurer_decision in ('ACCEPT', 'REJECT', 'RETURN')),
  insurer_opinion text not null default '',
  insurer_sent_at timestamptz,
  insurer_decided_at timestamptz,
  insurer_evidence_file_id bigint,
  state text not null check (state in
    ('DRAFT', 'PENDING', 'REVIEWING', 'SUPPLEMENT', 'RECHECK', 'WAIT_INSURER', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'CLOSED')),
  entered_state_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  round int not null default 1 check (round >= 1),
  sla_started_at timestamptz,
  sla_allowed int,
  sla_paused_min int not null default 0,
  sla_paused_at timestamptz,
  sla_due_at timestamptz,
  lease_user_id bigint,
  lease_user_name text,
  lease_token text,
  lease_until timestamptz,
  prefer_user_id bigint,
  entered_by bigint,
  first_reviewer_id bigint,
  first_reviewer_name text,
  recheck_reason text check (recheck_reason in ('LEVEL', 'OVERRIDE', 'SAMPLE', 'MARK', 'APPEAL')),
  supplement_count int not null default 0,
  appealed_at timestamptz,
  reject_reasons text[] not null default '{}',
  applicant_wording text not null default '',
  internal_note text not null default '',
  control_versions bigint[] not null default '{}',
  contract_id bigint,
  event_seq int not null default 0,
  test_user boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((contract_id is not null) = (state = 'APPROVED')),
  check (state = 'DRAFT' or submitted_at is not null or state = 'WITHDRAWN'),
  check (product_line = 'RSB' or baseline is null),
  check (product_line = 'HMO' or (health_declaration is null and measures is null and chronic_grade is null)),
  check (lease_token is null or state in ('REVIEWING', 'RECHECK')),
  check (first_reviewer_id is null or first_reviewer_id is distinct from entered_by)
);
create unique index enrolment_apply_open on enrolment_apply (insured_item_id, product_id, drug_key)
  where state in ('DRAFT', 'PENDING', 'REVIEWING', 'SUPPLEMENT', 'RECHECK', 'WAIT_INSURER');
create index enrolment_apply_state on enrolment_apply (state, sla_due_at);
create index enrolment_apply_lease on enrolment_apply (lease_user_id, state) where lease_user_id is not null;
create index enrolment_apply_prefer on enrolment_apply (prefer_user_id, state) where prefer_user_id is not null;
create index enrolment_apply_line on enrolment_apply (product_line, submitted_at);
create index enrolment_apply_insurer on enrolment_apply (insurer_id, submitted_at);
create index enrolment_apply_submitted on enrolment_apply (submitted_at);
create index enrolment_apply_due on enrolment_apply (sla_due_at);
create index enrolment_apply_id_no on enrolment_apply (id_no_hash);
create index enrolment_apply_mobile on enrolment_apply (mobile_hash);
create index enrolment_apply_person on enrolment_apply (insured_name, birth_date);
create index enrolment_apply_product on enrolment_apply (product_id);

create table enrolment_check (
  id bigint generated always as identity primary key,
  apply_id bigint not null references enrolment_apply (id),
  round int not null,
  check_code text not null,
  -- What is asked; of a manual item the product's question.
  question text not null,
  hard boolean not null,
  -- Null: a question that a person answers alone.
  machine_result text check (machine_result in ('PASS', 'WARN', 'FAIL', 'UNKNOWN')),
  explain text not null default '',
  human_verdict text check (human_verdict in ('AGREE', 'OVERRIDE', 'FAIL')),
  human_note text not null default '',
  user_id bigint,
  sort int not null,
  unique (apply_id, round, check_code),
  check (human_verdict is distinct from 'OVERRIDE' or human_note <> '')
);

create table enrolment_decision (
  id bigint generated always as identity primary key,
  apply_id bigint not null references enrolment_apply (id),
  round int not null,
  level int not null check (level in (1, 2, 3)),
  verdict text not null check (verdict in ('PASS', 'SUPPLEMENT', 'REJECT', 'RETURN', 'ACCEPT')),
  reasons text[] not null default '{}',
  applicant_wording text not null default '',
  internal_note text not null default '',
  -- Null: the system, or the insurer's own machine.
  user_id bigint,
  user_name text not null,
  seconds int not null default 0 check (seconds >= 0),
  at timestamptz not null
);
create index enrolment_decision_apply on enrolment_decision (apply_id, round);
create index enrolment_decision_at on enrolment_decision (at);

-- Since when a case is in its state, whoever moved it.
create function enrolment_apply_entered() returns trigger language plpgsql as $$
begin
  new.entered_state_at := new.updated_at;
  return new;
end $$;
create trigger enrolment_apply_entered before update of state on enrolment_apply
  for each row when (old.state is distinct from new.state) execute function enrolment_apply_entered();

-- Which reminders of a supplement were sent.
create table enrolment_supplement_reminder (
  supplement_id bigint not null references enrolment_supplement (id),
  days_before int not null,
  sent_at timestamptz not null,
  primary key (supplement_id, days_before)
);
