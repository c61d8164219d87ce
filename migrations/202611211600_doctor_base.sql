-- Doctors, where they practise, their certificates, and copies of what other domains own.

-- Account ids in chat, one number range for doctors and assistants.
create sequence doctor_operator_seq start with 100001;

-- Read-only copies of records that this domain may not query, fed by their owners' events.
create table doctor_ref_copy (
  kind text not null check (kind in ('DISEASE', 'PATIENT', 'STAFF', 'MARK', 'INQUIRY', 'CHANNEL', 'AGENT', 'SCENE_CODE')),
  ref_id bigint not null,
  name text not null,
  state text not null,
  facts jsonb not null default '{}',
  seq int not null default 0,
  updated_at timestamptz not null,
  primary key (kind, ref_id)
);
create index doctor_ref_copy_name on doctor_ref_copy using gin (name gin_trgm_ops);

create table doctor_doctor (
  id bigint generated always as identity primary key,
  doctor_no text not null unique,
  operator_id bigint not null unique default nextval('doctor_operator_seq'),
  name text not null check (char_length(name) between 1 and 30),
  name_pinyin text not null,
  gender text check (gender in ('MALE', 'FEMALE')),
  birth_date date,
  avatar_file_id bigint,
  mobile_cipher text not null,
  mobile_hash text not null,
  mobile_masked text not null,
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  hospital_id bigint,
  hospital_apply_id bigint,
  department_id bigint,
  standard_dept_code text,
  -- names of hospital and department, for lists; they follow institution's events
  hospital_name text,
  department_name text,
  title_code text check (title_code in ('CHIEF', 'ASSOCIATE', 'ATTENDING', 'RESIDENT')),
  practice_level text check (practice_level in ('LICENSED', 'ASSISTANT')),
  practice_category text check (practice_category in ('CLINICAL', 'TCM', 'STOMATOLOGY', 'PUBLIC')),
  practice_scope text check (char_length(practice_scope) <= 200),
  practice_since date,
  -- of the hospital
  adcode text check (adcode ~ '^\d{6}$'),
  specialty text not null default '' check (char_length(specialty) <= 500),
  intro text not null default '' check (char_length(intro) <= 1000),
  disease_ids bigint[] not null default '{}' check (cardinality(disease_ids) <= 20),
  mark_ids bigint[] not null default '{}',
  source_type text not null check (source_type in ('SCAN', 'INVITE', 'IMPORT', 'STAFF')),
  account_state text not null default 'NORMAL' check (account_state in ('NORMAL', 'FROZEN', 'CANCELLED')),
  qual_state text not null default 'NONE' check (qual_state in ('NONE', 'PENDING', 'RETURNED', 'APPROVED', 'REJECTED', 'EXPIRED')),
  qual_reason text,
  -- last time the qualification was submitted for audit
  submitted_at timestamptz,
  practice_ok boolean not null default false,
  accept_state text not null default 'ON' check (accept_state in ('ON', 'OFF')),
  off_from date,
  off_until date,
  -- projection of the live attribution
  channel_id bigint,
  agent_id bigint,
  response_median_min int,
  rating_bp int,
  served_count int not null default 0 check (served_count >= 0),
  unsettled_fen bigint not null default 0,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (num_nonnulls(hospital_id, hospital_apply_id) = 1),
  check (qual_state <> 'APPROVED' or hospital_id is not null),
  check (not practice_ok or (qual_state = 'APPROVED' and account_state = 'NORMAL')),
  check (num_nonnulls(id_no_cipher, id_no_hash, id_no_masked) in (0, 3)),
  check (off_until >= off_from)
);
create unique index doctor_doctor_mobile on doctor_doctor (mobile_hash) where account_state <> 'CANCELLED';
create unique index doctor_doctor_id_no on doctor_doctor (id_no_hash) where account_state <> 'CANCELLED';
create index doctor_doctor_qual on doctor_doctor (qual_state, submitted_at);
create index doctor_doctor_hospital on doctor_doctor (hospital_id, department_id);
create index doctor_doctor_apply on doctor_doctor (hospital_apply_id) where hospital_apply_id is not null;
create index doctor_doctor_region on doctor_doctor (adcode, title_code);
create index doctor_doctor_channel on doctor_doctor (channel_id);
create index doctor_doctor_created on doctor_doctor (created_at);
create index doctor_doctor_diseases on doctor_doctor using gin (disease_ids);
create index doctor_doctor_pinyin on doctor_doctor (name_pinyin);
create index doctor_doctor_search on doctor_doctor using gin ((name || ' ' || name_pinyin || ' ' || doctor_no) gin_trgm_ops);

create table doctor_practice (
  id bigint generated always as identity primary key,
  doctor_id bigint not null references doctor_doctor (id),
  hospital_id bigint not null,
  is_main boolean not null,
  valid_from date,
  valid_to date,
  cert_id bigint,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  unique (doctor_id, hospital_id),
  check (valid_to >= valid_from)
);
create unique index doctor_practice_main on doctor_practice (doctor_id) where is_main;
create index doctor_practice_hospital on doctor_practice (hospital_id);

-- Rows are replaced by newer ones, never edited.
create table doctor_cert (
  id bigint generated always as identity primary key,
  doctor_id bigint not null references doctor_doctor (id),
  qual_apply_id bigint,
  cert_type text not null check (cert_type in ('ID_CARD', 'QUALIFICATION', 'PRACTICE', 'TITLE', 'BADGE', 'MULTI_SITE', 'E_SIGN')),
  -- of a multi-site registration: the other institution
  hospital_id bigint,
  cert_no_cipher text,
  no_hash text,
  cert_no_masked text,
  file_ids bigint[] not null default '{}',
  issuer text not null default '' check (char_length(issuer) <= 100),
  issued_on date,
  valid_from date,
  -- null: 长期
  valid_to date,
  extracted jsonb not null default '{}',
  verified jsonb not null default '{}',
  verify_source text check (verify_source in ('MANUAL', 'NHC')),
  verify_file_id bigint,
  verified_by bigint,
  state text not null default 'PENDING' check (state in ('PENDING', 'VALID', 'EXPIRED', 'REJECTED', 'REPLACED')),
  reminded_days int[] not null default '{}',
  reminded_by_hand_on date,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (valid_to >= valid_from),
  check (num_nonnulls(cert_no_cipher, no_hash, cert_no_masked) in (0, 3))
);
create unique index doctor_cert_number on doctor_cert (cert_type, no_hash) where state in ('VALID', 'EXPIRED') and cert_type in ('ID_CARD', 'QUALIFICATION', 'PRACTICE');
create unique index doctor_cert_valid on doctor_cert (doctor_id, cert_type) where state = 'VALID' and cert_type <> 'MULTI_SITE';
create index doctor_cert_end on doctor_cert (valid_to) where state = 'VALID';
create index doctor_cert_doctor on doctor_cert (doctor_id, cert_type);
create index doctor_cert_apply on doctor_cert (qual_apply_id);
alter table doctor_practice add foreign key (cert_id) references doctor_cert (id);

-- Who stood at a hospital that was merged into another, so that the merge can be undone.
create table doctor_hospital_merge (
  loser_id bigint not null,
  survivor_id bigint not null,
  doctor_id bigint not null references doctor_doctor (id),
  department_id bigint,
  primary key (loser_id, doctor_id)
);
