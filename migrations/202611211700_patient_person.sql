-- append-only: patient_real_name_check, patient_record_access
-- Persons, their login accounts, the proof of who they are, merges, and who looked.

create table patient_patient (
  id bigint generated always as identity primary key,
  patient_no text not null unique check (patient_no ~ '^PT\d{8}$'),
  name text not null check (char_length(name) <= 32),
  gender smallint not null default 0 check (gender in (0, 1, 2)),
  id_type text check (id_type in ('ID', 'PASSPORT', 'HKMO', 'TW', 'FOREIGN', 'BIRTH')),
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  birth_date date,
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  adcode text check (adcode ~ '^\d{6}$'),
  address_cipher text,
  occupation text not null default '' check (char_length(occupation) <= 40),
  medical_insurance_type text check (medical_insurance_type in ('URBAN_WORKER', 'RESIDENT', 'NONE')),
  source text not null check (source in ('MINI', 'CHANNEL', 'POLICY', 'ORDER', 'STAFF', 'IMPORT')),
  source_id text,
  real_name_state text not null default 'UNVERIFIED' check (real_name_state in ('UNVERIFIED', 'PENDING', 'MANUAL', 'VERIFIED', 'FAILED')),
  real_name_at timestamptz,
  real_name_check_id bigint,
  life_state text not null default 'ALIVE' check (life_state in ('ALIVE', 'DECEASED')),
  deceased_on date,
  life_proof_file_id bigint,
  deceased_by bigint,
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'FROZEN', 'MERGED', 'CANCELLED')),
  merged_into_id bigint references patient_patient (id),
  height_cm int check (height_cm between 30 and 250),
  weight_g int check (weight_g between 500 and 300000),
  blood_type text check (blood_type in ('A', 'B', 'AB', 'O', 'UNKNOWN')),
  allergy_history text not null default '',
  past_history text not null default '',
  family_history text not null default '',
  smoking text check (smoking in ('NEVER', 'FORMER', 'CURRENT')),
  drinking text check (drinking in ('NEVER', 'SOMETIMES', 'OFTEN')),
  pregnancy_state text check (pregnancy_state in ('NONE', 'PREGNANT', 'LACTATING', 'PLANNING')),
  -- live contracts: {contractId, label}
  covers jsonb not null default '[]',
  insurer_ids bigint[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'MERGED') = (merged_into_id is not null)),
  check (merged_into_id <> id),
  check ((life_state = 'DECEASED') = (deceased_on is not null)),
  check ((id_no_hash is null) = (id_no_cipher is null) and (id_no_hash is null or id_type is not null)),
  check (real_name_state <> 'VERIFIED' or state = 'CANCELLED' or (id_no_hash is not null and real_name_check_id is not null))
);
create unique index patient_patient_verified on patient_patient (id_type, id_no_hash) where id_no_hash is not null and state in ('ACTIVE', 'FROZEN') and real_name_state = 'VERIFIED';
create index patient_patient_id_no on patient_patient (id_no_hash) where id_no_hash is not null;
create index patient_patient_mobile on patient_patient (mobile_hash) where mobile_hash is not null;
create index patient_patient_name on patient_patient (name, birth_date);
create index patient_patient_merged on patient_patient (merged_into_id) where merged_into_id is not null;
create index patient_patient_manual on patient_patient (updated_at) where real_name_state in ('MANUAL', 'PENDING');

create table patient_account (
  operator_id bigint primary key,
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  nick text not null default '',
  avatar_file_id bigint,
  open_ids text[] not null default '{}',
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'FROZEN', 'CANCELLED')),
  last_login_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index patient_account_mobile on patient_account (mobile_hash);

create table patient_account_person (
  id bigint generated always as identity primary key,
  operator_id bigint not null references patient_account (operator_id),
  patient_id bigint not null references patient_patient (id),
  relation text not null check (relation in ('SELF', 'SPOUSE', 'PARENT', 'CHILD', 'OTHER')),
  is_default boolean not null default false,
  added_at timestamptz not null,
  removed_at timestamptz
);
create unique index patient_account_person_pair on patient_account_person (operator_id, patient_id) where removed_at is null;
create unique index patient_account_person_default on patient_account_person (operator_id) where is_default and removed_at is null;
create unique index patient_account_person_self on patient_account_person (operator_id) where relation = 'SELF' and removed_at is null;
create unique index patient_account_person_one_self on patient_account_person (patient_id) where relation = 'SELF' and removed_at is null;
create index patient_account_person_patient on patient_account_person (patient_id);

create table patient_contact_person (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  name text not null check (char_length(name) between 1 and 32),
  relation text not null check (relation in ('SPOUSE', 'PARENT', 'CHILD', 'GUARDIAN', 'OTHER')),
  mobile_cipher text not null,
  mobile_masked text not null,
  id_no_cipher text,
  id_no_masked text,
  is_guardian boolean not null,
  proof_file_id bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index patient_contact_person_patient on patient_contact_person (patient_id);

-- What is asked of the provider or of a person; the answers are patient_real_name_check.
create table patient_real_name_request (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  method text not null check (method in ('ID2', 'ID3', 'FACE', 'MANUAL')),
  name text not null,
  id_type text not null,
  id_no_cipher text not null,
  id_no_hash text not null,
  id_no_masked text not null,
  mobile_cipher text,
  mobile_masked text,
  attempts int not null default 0,
  file_ids bigint[] not null default '{}',
  opinion text,
  -- false once answered or overtaken by a later one
  open boolean not null default true,
  requested_by bigint,
  at timestamptz not null,
  day date not null
);
create unique index patient_real_name_request_open on patient_real_name_request (patient_id) where open;
create index patient_real_name_request_day on patient_real_name_request (patient_id, day);

create table patient_real_name_check (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  request_id bigint references patient_real_name_request (id),
  method text not null check (method in ('ID2', 'ID3', 'FACE', 'MANUAL')),
  name text not null,
  id_type text not null,
  id_no_cipher text not null,
  id_no_hash text not null,
  id_no_masked text not null,
  mobile_masked text,
  result text not null check (result in ('PASS', 'MISMATCH', 'NOT_FOUND', 'ERROR')),
  provider_ref text,
  file_ids bigint[] not null default '{}',
  decided_by bigint,
  opinion text,
  at timestamptz not null
);
create index patient_real_name_check_patient on patient_real_name_check (patient_id, at desc);

create table patient_real_name_switch (
  id bigint generated always as identity primary key,
  scope_type text not null check (scope_type in ('GLOBAL', 'CHANNEL', 'DISEASE', 'SERVICE_ITEM', 'DOCTOR')),
  scope_id bigint not null default 0,
  scope_name text not null default '',
  scene text not null check (scene in ('REGISTER', 'CONSULT', 'PRESCRIBE', 'BUY_RX', 'CLAIM', 'ENROL')),
  required boolean not null,
  min_method text not null check (min_method in ('ID2', 'ID3', 'FACE')),
  effective_from timestamptz not null,
  reason text not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (scope_type, scope_id, scene),
  check ((scope_type = 'GLOBAL') = (scope_id = 0)),
  check (required or scene in ('REGISTER', 'CONSULT'))
);

create table patient_merge (
  id bigint generated always as identity primary key,
  merge_no text not null unique,
  from_id bigint not null references patient_patient (id),
  into_id bigint not null references patient_patient (id),
  evidence text[] not null default '{}',
  reason text not null default '',
  -- made by the program when it met a likely double
  suggested boolean not null default false,
  confirmed boolean not null default false,
  -- records whose pointer was moved along, to be given back by the undoing
  carried bigint[] not null default '{}',
  state text not null default 'PENDING' check (state in ('PENDING', 'MERGED', 'REJECTED', 'UNDONE')),
  maker_id bigint,
  checker_id bigint,
  opinion text,
  decided_at timestamptz,
  undone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (from_id <> into_id)
);
create unique index patient_merge_from on patient_merge (from_id) where state in ('PENDING', 'MERGED');
create index patient_merge_into on patient_merge (into_id);
create index patient_merge_state on patient_merge (state, id desc);

create table patient_privacy_request (
  id bigint generated always as identity primary key,
  request_no text not null unique,
  kind text not null check (kind in ('COPY', 'CORRECT', 'DELETE')),
  patient_id bigint not null references patient_patient (id),
  detail text not null,
  state text not null default 'OPEN' check (state in ('OPEN', 'DOING', 'DONE', 'REFUSED')),
  due_at date not null,
  result_file_id bigint,
  handler_id bigint,
  opinion text,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null
);
create index patient_privacy_request_state on patient_privacy_request (state, due_at);
create index patient_privacy_request_patient on patient_privacy_request (patient_id);

create sequence patient_record_access_id;
create table patient_record_access (
  id bigint not null default nextval('patient_record_access_id'),
  patient_id bigint not null,
  user_id bigint,
  client_id text,
  role text not null default '',
  kind text not null check (kind in ('VIEW', 'REVEAL', 'EXPORT', 'BREAK_GLASS')),
  fields text[] not null default '{}',
  reason text,
  from_page text,
  at timestamptz not null,
  primary key (id, at)
) partition by range (at);
create index patient_record_access_patient on patient_record_access (patient_id, at desc);
create index patient_record_access_user on patient_record_access (user_id, at desc);

create table patient_break_glass (
  id bigint generated always as identity primary key,
  patient_id bigint not null references patient_patient (id),
  user_id bigint not null,
  reason text not null,
  at timestamptz not null,
  until timestamptz not null
);
create index patient_break_glass_user on patient_break_glass (user_id, patient_id, until);

-- Who serves whom: groups of consultation and the assistants of doctors, fed by events.
create table patient_care_group (
  conversation_id bigint primary key,
  group_id text,
  kind text not null,
  patient_id bigint not null,
  sufferer_operator_id bigint not null,
  doctor_id bigint,
  assistant_operator_id bigint,
  opened_at timestamptz not null,
  closed_at timestamptz,
  seq int not null
);
create index patient_care_group_patient on patient_care_group (patient_id);
create index patient_care_group_account on patient_care_group (sufferer_operator_id, opened_at desc);
create index patient_care_group_doctor on patient_care_group (doctor_id);
create table patient_care_member (
  conversation_id bigint not null,
  operator_id bigint not null,
  left_at timestamptz,
  seq int not null,
  primary key (conversation_id, operator_id)
);
create index patient_care_member_operator on patient_care_member (operator_id);
create table patient_assistant (
  operator_id bigint primary key,
  user_id bigint not null
);
create index patient_assistant_user on patient_assistant (user_id);
create table patient_assistant_bind (
  doctor_id bigint not null,
  operator_id bigint not null,
  primary key (doctor_id, operator_id)
);

-- Answers to the patient's client, given again when a request comes twice.
create table patient_external_request (
  client_id text not null,
  operation text not null,
  external_request_no text not null,
  input_hash text not null,
  answer jsonb not null,
  at timestamptz not null,
  primary key (client_id, operation, external_request_no)
);
