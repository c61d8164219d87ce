create table institution_hospital (
  id bigint generated always as identity primary key,
  hospital_no text not null unique,
  name text not null check (length(name) between 2 and 100),
  short_name text not null default '' check (length(short_name) <= 30),
  -- initials, a space, full syllables: both are found by their beginning
  name_pinyin text not null,
  norm_name text not null,
  name_grams text[] not null,
  uscc text check (uscc ~ '^[0-9A-Z]{18}$'),
  licence_no text check (licence_no ~ '^[0-9A-Z]{15,22}$'),
  licence_valid_to date,
  nhsa_code text check (nhsa_code ~ '^H\d{11}$'),
  parent_id bigint references institution_hospital (id),
  campus_name text not null default '',
  level text not null,
  level_rank int not null check (level_rank between 10 and 90),
  kind text not null check (kind in ('GENERAL', 'SPECIAL', 'TCM', 'MATERNAL', 'COMMUNITY', 'CLINIC', 'INTERNET')),
  ownership text not null check (ownership in ('PUBLIC', 'PRIVATE', 'MILITARY')),
  adcode text not null check (adcode ~ '^\d{6}$'),
  city_adcode text not null check (city_adcode ~ '^\d{6}$'),
  province_adcode text not null check (province_adcode ~ '^\d{6}$'),
  address text not null default '' check (length(address) <= 200),
  lng_e6 int,
  lat_e6 int,
  phone text not null default '',
  website text not null default '',
  introduction text not null default '',
  logo_file_id bigint,
  source text not null check (source in ('IMPORT', 'STAFF', 'DOCTOR', 'AGENT', 'INSURER')),
  state text not null check (state in ('ENABLED', 'DISABLED', 'MERGED')),
  merged_into_id bigint references institution_hospital (id),
  state_before_merge text,
  quality_score_bp int not null default 0 check (quality_score_bp between 0 and 10000),
  quality_issues text[] not null default '{}',
  -- copies of the doctors' and contracts' facts, written by their events
  doctor_count int not null default 0 check (doctor_count >= 0),
  contract_count int not null default 0 check (contract_count >= 0),
  -- of the imported row, so that the same file writes nothing again
  row_hash text,
  import_batch_no text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  updated_by_name text,
  check ((state = 'MERGED') = (merged_into_id is not null)),
  check ((lng_e6 is null) = (lat_e6 is null)),
  check (substr(adcode, 1, 2) = substr(province_adcode, 1, 2))
);
create unique index institution_hospital_uscc on institution_hospital (uscc) where uscc is not null and state <> 'MERGED' and parent_id is null;
create unique index institution_hospital_licence on institution_hospital (licence_no) where licence_no is not null and state <> 'MERGED' and parent_id is null;
create unique index institution_hospital_nhsa on institution_hospital (nhsa_code) where nhsa_code is not null and state <> 'MERGED' and parent_id is null;
create unique index institution_hospital_name on institution_hospital (norm_name, city_adcode) where state <> 'MERGED';
create index institution_hospital_region on institution_hospital (adcode text_pattern_ops);
create index institution_hospital_city on institution_hospital (city_adcode, level_rank);
create index institution_hospital_state on institution_hospital (state, updated_at);
create index institution_hospital_pinyin on institution_hospital (name_pinyin text_pattern_ops);
create index institution_hospital_parent on institution_hospital (parent_id) where parent_id is not null;
create index institution_hospital_merged on institution_hospital (merged_into_id) where merged_into_id is not null;
create index institution_hospital_grams on institution_hospital using gin (name_grams);
create index institution_hospital_search on institution_hospital using gin (name gin_trgm_ops);
create index institution_hospital_issues on institution_hospital using gin (quality_issues);

create table institution_hospital_alias (
  id bigint generated always as identity primary key,
  hospital_id bigint not null references institution_hospital (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  norm_name text not null,
  kind text not null check (kind in ('FORMER', 'SHORT', 'CAMPUS', 'MERGED', 'EXTERNAL')),
  source_code text,
  external_id text,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  unique (hospital_id, norm_name),
  unique (source_code, external_id)
);
create index institution_hospital_alias_norm on institution_hospital_alias (norm_name);
create index institution_hospital_alias_search on institution_hospital_alias using gin (name gin_trgm_ops);

create table institution_standard_dept (
  code text primary key,
  parent_code text references institution_standard_dept (code),
  name text not null,
  alias_names text[] not null default '{}',
  sort int not null,
  state text not null check (state in ('ENABLED', 'DISABLED'))
);

create table institution_department (
  id bigint generated always as identity primary key,
  hospital_id bigint not null references institution_hospital (id) on delete cascade,
  name text not null check (length(name) between 1 and 50),
  standard_dept_code text references institution_standard_dept (code),
  alias text[] not null default '{}',
  sort int not null default 0,
  phone text not null default '',
  state text not null check (state in ('ENABLED', 'DISABLED')),
  merged_into_id bigint references institution_department (id),
  -- copy of the doctors' facts
  doctor_count int not null default 0 check (doctor_count >= 0),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create unique index institution_department_name on institution_department (hospital_id, name) where state = 'ENABLED';

create table institution_hospital_apply (
  id bigint generated always as identity primary key,
  apply_no text not null unique,
  apply_type text not null check (apply_type in ('CREATE', 'MODIFY', 'LEVEL', 'DISABLE')),
  hospital_id bigint references institution_hospital (id),
  -- proposed facts, and for a change the same facts as they stood at submit
  payload jsonb not null,
  before jsonb,
  name text not null,
  level text,
  adcode text,
  applicant_type text not null check (applicant_type in ('DOCTOR', 'AGENT', 'STAFF')),
  applicant_id text not null,
  applicant_name text not null,
  applicant_mobile_cipher text,
  evidence_file_ids bigint[] not null default '{}',
  -- [{hospitalId, score, why[]}]
  candidates jsonb not null default '[]',
  top_score int not null default 0,
  not_duplicate_ids bigint[] not null default '{}',
  reason text not null default '',
  state text not null check (state in ('PENDING', 'REVIEWING', 'APPROVED', 'LINKED', 'REJECTED', 'WITHDRAWN')),
  auditor_id bigint,
  auditor_name text,
  opinion text,
  audited_at timestamptz,
  result_hospital_id bigint references institution_hospital (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (apply_type = 'CREATE' or hospital_id is not null),
  check (state not in ('APPROVED', 'LINKED') or apply_type <> 'CREATE' or result_hospital_id is not null)
);
create index institution_hospital_apply_state on institution_hospital_apply (state, created_at);
create index institution_hospital_apply_applicant on institution_hospital_apply (applicant_type, applicant_id);

-- scored pairs of 60 points and more, kept up to date by every write of a hospital
create table institution_duplicate_pair (
  left_id bigint not null references institution_hospital (id) on delete cascade,
  right_id bigint not null references institution_hospital (id) on delete cascade,
  score int not null check (score between 60 and 100),
  why text[] not null,
  distance_m int,
  scored_at timestamptz not null,
  primary key (left_id, right_id),
  check (left_id < right_id)
);
create index institution_duplicate_pair_right on institution_duplicate_pair (right_id);
create index institution_duplicate_pair_score on institution_duplicate_pair (score desc, left_id, right_id);

-- pairs that somebody judged to be different hospitals
create table institution_duplicate_ignore (
  left_id bigint not null references institution_hospital (id) on delete cascade,
  right_id bigint not null references institution_hospital (id) on delete cascade,
  created_at timestamptz not null,
  created_by bigint,
  primary key (left_id, right_id),
  check (left_id < right_id)
);

create table institution_hospital_merge (
  id bigint generated always as identity primary key,
  merge_no text not null unique,
  survivor_id bigint not null references institution_hospital (id),
  loser_id bigint not null references institution_hospital (id),
  -- per field: {from: 'survivor' | 'loser' | 'typed', value?}
  field_choice jsonb not null,
  -- [{fromDeptId, toDeptId | null}]; null moves the department
  dept_plan jsonb not null,
  loser_snapshot jsonb not null,
  survivor_snapshot jsonb not null,
  -- what the merge wrote, for its undoing
  applied jsonb,
  reason text not null,
  uscc_differs boolean not null default false,
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  state text not null check (state in ('PENDING', 'DONE', 'REJECTED', 'UNDONE')),
  done_at timestamptz,
  undone_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (survivor_id <> loser_id),
  check (checker_id is null or checker_id <> maker_id)
);
create unique index institution_hospital_merge_loser on institution_hospital_merge (loser_id) where state in ('PENDING', 'DONE');
create index institution_hospital_merge_survivor on institution_hospital_merge (survivor_id);
