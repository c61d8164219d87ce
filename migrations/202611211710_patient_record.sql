-- append-only: patient_consent
-- The medical record and what the patient has agreed to. Rows of the record are never deleted, only voided.

create table patient_record_text (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  paragraph_code text not null check (paragraph_code in ('P01', 'P02', 'P03', 'P04')),
  text text not null check (char_length(text) between 1 and 2000),
  file_ids bigint[] not null default '{}',
  source text not null check (source in ('DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL', 'IMPORT')),
  voided_at timestamptz,
  void_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index patient_record_text_patient on patient_record_text (patient_id, created_at desc);

create table patient_diagnosis (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  icd10 text not null,
  name text not null,
  stage text not null default '',
  is_primary boolean not null default false,
  diagnosed_at date not null,
  hospital_id bigint,
  hospital_name text not null default '',
  department_name text not null default '',
  doctor_name text not null default '',
  state text not null check (state in ('SUSPECTED', 'CONFIRMED', 'RESOLVED')),
  source text not null check (source in ('DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL', 'IMPORT')),
  -- `visit:7`, `apply:9`: what it came from, once
  source_ref text,
  verified_by bigint,
  file_ids bigint[] not null default '{}',
  voided_at timestamptz,
  void_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index patient_diagnosis_patient on patient_diagnosis (patient_id, diagnosed_at desc);
create index patient_diagnosis_code on patient_diagnosis (icd10 text_pattern_ops, state) where voided_at is null;
create unique index patient_diagnosis_primary on patient_diagnosis (patient_id) where is_primary and voided_at is null;
create unique index patient_diagnosis_source on patient_diagnosis (source_ref, icd10) where source_ref is not null;

create table patient_treatment (
  id bigint generated always as identity primary key,
  diagnosis_id bigint not null references patient_diagnosis (id),
  kind text not null check (kind in ('SURGERY', 'CHEMO', 'RADIO', 'TARGET', 'IMMUNE', 'ENDOCRINE', 'DRUG', 'OTHER')),
  regimen text not null check (char_length(regimen) between 1 and 64),
  line_no int check (line_no between 1 and 9),
  start_on date not null,
  end_on date check (end_on >= start_on),
  outcome text check (outcome in ('CR', 'PR', 'SD', 'PD', 'NE')),
  adverse_grade int check (adverse_grade between 0 and 5),
  note text not null default '' check (char_length(note) <= 500),
  source text not null check (source in ('DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL', 'IMPORT')),
  file_ids bigint[] not null default '{}',
  voided_at timestamptz,
  void_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index patient_treatment_diagnosis on patient_treatment (diagnosis_id, start_on desc);

create table patient_medicine_suggested (
  id bigint generated always as identity primary key,
  suggest_no text not null unique,
  patient_id bigint not null references patient_patient (id),
  group_id text,
  server_id bigint,
  doctor_id bigint not null,
  doctor_name text not null,
  prescription_time timestamptz not null,
  valid_until date not null,
  note text not null default '' check (char_length(note) <= 200),
  medicines jsonb not null check (jsonb_array_length(medicines) between 1 and 10),
  status text not null check (status in ('0', '1', '2', '3')),
  order_id bigint,
  invalid_reason text check (invalid_reason in ('EXPIRED', 'WITHDRAWN')),
  withdraw_reason text,
  confirmed_at timestamptz,
  -- what was confirmed against a warning: allergy, same medicine
  overrides text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((status = '3') = (invalid_reason is not null)),
  check (status <> '2' or order_id is not null)
);
create index patient_medicine_suggested_patient on patient_medicine_suggested (patient_id, prescription_time desc);
create index patient_medicine_suggested_group on patient_medicine_suggested (group_id);
create index patient_medicine_suggested_until on patient_medicine_suggested (valid_until) where status in ('0', '1');

create table patient_record_order (
  id bigint generated always as identity primary key,
  order_id bigint not null unique,
  patient_id bigint not null references patient_patient (id),
  order_no text not null,
  biz_line text not null,
  order_time timestamptz not null,
  status_code text not null,
  status_name text not null,
  lines jsonb not null default '[]',
  pay_fen bigint not null,
  drugstore_name text,
  suggest_no text,
  -- cancelled or closed: supplies nothing
  dead boolean not null default false,
  event_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index patient_record_order_patient on patient_record_order (patient_id, order_time desc);

create table patient_inspection (
  id bigint generated always as identity primary key,
  inspection_no text not null unique,
  patient_id bigint not null references patient_patient (id),
  kind text not null check (kind in ('LAB', 'IMAGE', 'PATHOLOGY', 'GENE', 'OTHER')),
  item_name text not null check (char_length(item_name) between 1 and 60),
  hospital_name text not null default '',
  inspection_time timestamptz not null,
  conclusion text not null default '' check (char_length(conclusion) <= 2000),
  file_ids bigint[] not null default '{}' check (cardinality(file_ids) <= 9),
  source text not null check (source in ('DOCTOR', 'ASSISTANT', 'PATIENT', 'ENROL', 'IMPORT')),
  request_id bigint,
  due_on date,
  status text not null check (status in ('0', '1', '2')),
  ocr jsonb,
  read_by bigint,
  read_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((status = '2') = (read_at is not null))
);
create index patient_inspection_patient on patient_inspection (patient_id, inspection_time desc);
create index patient_inspection_to_read on patient_inspection (created_at) where status = '1' and voided_at is null;

create table patient_inspection_file (
  inspection_id bigint not null references patient_inspection (id),
  patient_id bigint not null,
  file_id bigint not null,
  sha256 text not null,
  live boolean not null default true,
  primary key (inspection_id, file_id)
);
create unique index patient_inspection_file_once on patient_inspection_file (patient_id, sha256) where live;
create index patient_inspection_file_sha on patient_inspection_file (sha256) where live;

create table patient_file_fact (
  file_id bigint primary key,
  sha256 text not null
);

create table patient_indicator (
  id bigint generated always as identity primary key,
  inspection_id bigint not null references patient_inspection (id),
  patient_id bigint not null,
  code text not null,
  value numeric(12, 3) not null,
  unit text not null,
  raw_value numeric(12, 3) not null,
  raw_unit text not null,
  ref_low numeric(12, 3),
  ref_high numeric(12, 3),
  flag text not null check (flag in ('L', 'N', 'H', 'C')),
  inspection_time timestamptz not null,
  unique (inspection_id, code)
);
create index patient_indicator_patient on patient_indicator (patient_id, code, inspection_time desc);

-- What patients wrote in questionnaires; the latest answer of a form counts once.
create table patient_reported_value (
  id bigint generated always as identity primary key,
  patient_id bigint not null,
  code text not null,
  value numeric(12, 3) not null,
  answer_id bigint not null,
  at timestamptz not null,
  unique (answer_id, code)
);
create index patient_reported_value_patient on patient_reported_value (patient_id, code, at desc);

create table patient_consent_text (
  id bigint generated always as identity primary key,
  consent_type text not null check (consent_type in ('PRIVACY', 'MEDICAL_DATA', 'TELEMED', 'FOLLOW_UP', 'MARKETING', 'SHARE_INSURER', 'SHARE_PHARMA', 'CROSS_PERSON')),
  doc_version text not null,
  title text not null,
  file_id bigint,
  sha256 text,
  effective_from timestamptz not null,
  resign boolean not null,
  -- agreements to older versions were marked as lapsed
  lapsed_done boolean not null default false,
  created_at timestamptz not null,
  created_by bigint,
  unique (consent_type, doc_version)
);
create index patient_consent_text_from on patient_consent_text (consent_type, effective_from desc);

create table patient_consent (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  consent_type text not null,
  doc_version text not null,
  act text not null check (act in ('GRANT', 'WITHDRAW')),
  "by" text not null check ("by" in ('SELF', 'GUARDIAN', 'STAFF')),
  signer_name text not null default '',
  channel text not null,
  evidence_file_id bigint,
  note text not null default '',
  created_by bigint,
  at timestamptz not null,
  check ("by" <> 'STAFF' or evidence_file_id is not null)
);
create index patient_consent_patient on patient_consent (patient_id, consent_type, at desc);

create table patient_consent_state (
  patient_id bigint not null references patient_patient (id),
  consent_type text not null,
  state text not null check (state in ('VALID', 'WITHDRAWN', 'LAPSED', 'NONE')),
  doc_version text not null,
  at timestamptz not null,
  primary key (patient_id, consent_type)
);
create index patient_consent_state_type on patient_consent_state (consent_type, state);
