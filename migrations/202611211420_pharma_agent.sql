-- Medical representatives, their hand-over, and adverse-reaction reports.

create table pharma_agent (
  id bigint generated always as identity primary key,
  agent_no text not null unique,
  name text not null check (char_length(name) between 1 and 30),
  name_pinyin text not null,
  mobile_cipher text not null,
  mobile_hash text not null,
  mobile_masked text not null,
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  email text,
  avatar_file_id bigint,
  company_id bigint not null references pharma_company (id),
  company_agent_code text,
  rank text not null check (rank in ('BU', 'RM', 'DM', 'MR')),
  parent_id bigint references pharma_agent (id),
  -- ids from the top of the company to the person
  path bigint[] not null default '{}' check (cardinality(path) <= 4),
  adcodes text[] not null default '{}',
  hospital_ids bigint[] not null default '{}',
  filing_no text,
  filing_valid_to date,
  filing_file_id bigint,
  user_id bigint,
  joined_on date,
  left_on date,
  previous_agent_id bigint references pharma_agent (id),
  state text not null check (state in ('PENDING', 'ACTIVE', 'FROZEN', 'HANDOVER', 'LEFT')),
  handover_from text check (handover_from in ('ACTIVE', 'FROZEN')),
  suspend_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (parent_id <> id),
  check ((state = 'HANDOVER') = (handover_from is not null)),
  check ((state = 'LEFT') = (left_on is not null))
);
create unique index pharma_agent_mobile on pharma_agent (mobile_hash) where state <> 'LEFT';
create unique index pharma_agent_id_no on pharma_agent (id_no_hash) where state <> 'LEFT';
create unique index pharma_agent_code on pharma_agent (company_id, company_agent_code);
create index pharma_agent_company on pharma_agent (company_id, state);
create index pharma_agent_parent on pharma_agent (parent_id);
create index pharma_agent_filing on pharma_agent (filing_valid_to);
create index pharma_agent_path on pharma_agent using gin (path);
create index pharma_agent_search on pharma_agent using gin ((name || ' ' || name_pinyin || ' ' || agent_no) gin_trgm_ops);

create table pharma_agent_line (
  agent_id bigint not null references pharma_agent (id),
  line_id bigint not null references pharma_product_line (id),
  created_at timestamptz not null,
  primary key (agent_id, line_id)
);
create index pharma_agent_line_line on pharma_agent_line (line_id);

create table pharma_agent_doctor (
  agent_id bigint not null references pharma_agent (id),
  doctor_id bigint not null,
  product_line_id bigint not null,
  doctor_name text not null,
  hospital_name text not null,
  title_code text,
  qual_state text,
  since date not null,
  until date,
  primary key (agent_id, doctor_id, product_line_id)
);
create index pharma_agent_doctor_pair on pharma_agent_doctor (doctor_id, product_line_id) where until is null;
create index pharma_agent_doctor_open on pharma_agent_doctor (agent_id) where until is null;

create table pharma_agent_channel (
  channel_id bigint primary key,
  channel_no text not null,
  name text not null,
  channel_type text not null,
  agent_id bigint,
  state text not null,
  scans30 int not null,
  seq bigint not null
);
create index pharma_agent_channel_agent on pharma_agent_channel (agent_id);

create table pharma_agent_handover (
  id bigint generated always as identity primary key,
  handover_no text not null unique,
  from_agent_id bigint not null references pharma_agent (id),
  reason text not null check (reason in ('LEAVE', 'TRANSFER', 'AREA')),
  effective_on date not null,
  plan jsonb not null,
  maker_id bigint,
  maker_name text,
  checker_id bigint,
  checker_name text,
  opinion text,
  remark text,
  progress jsonb not null,
  started_at timestamptz,
  reminded_at timestamptz,
  state text not null check (state in ('DRAFT', 'PENDING', 'WAITING', 'RUNNING', 'DONE', 'REJECTED', 'CANCELLED')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  constraint pharma_handover_two_persons check (checker_id is null or checker_id <> maker_id)
);
create unique index pharma_agent_handover_open on pharma_agent_handover (from_agent_id) where state in ('DRAFT', 'PENDING', 'WAITING', 'RUNNING');
create index pharma_agent_handover_state on pharma_agent_handover (state, effective_on);

create table pharma_adverse_report (
  id bigint generated always as identity primary key,
  report_no text not null unique,
  medicine_id bigint not null references pharma_medicine (id),
  patient_id bigint not null,
  source_task_id text not null unique,
  seriousness text not null check (seriousness in ('GENERAL', 'SERIOUS', 'DEATH')),
  is_new boolean not null,
  description_cipher text not null,
  occurred_on date,
  received_at timestamptz not null,
  due_at timestamptz not null,
  forwarded_at timestamptz,
  forward_file_id bigint,
  company_receipt_no text,
  invalid_by bigint,
  invalid_opinion text,
  -- reminders before the deadline that were sent
  reminded int not null default 0,
  state text not null check (state in ('RECEIVED', 'FORWARDED', 'CLOSED', 'INVALID')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (state <> 'CLOSED' or company_receipt_no is not null),
  check (state not in ('FORWARDED', 'CLOSED') or forwarded_at is not null)
);
create index pharma_adverse_report_due on pharma_adverse_report (state, due_at);
create index pharma_adverse_report_medicine on pharma_adverse_report (medicine_id);

-- Mail that leaves the house: the development mailbox, and the queue of a mail provider.
create table pharma_mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  file_ids bigint[] not null default '{}',
  state text not null check (state in ('QUEUED', 'SENT')),
  created_at timestamptz not null,
  sent_at timestamptz
);
