-- append-only: settlement_account_history
-- What doctors earn: who pays, by which rules, each income with its calculation, and the account that is paid. Money is fen.

create table settlement_payer (
  id bigint generated always as identity primary key,
  entity_code text not null unique check (entity_code ~ '^[A-Z0-9_]{2,20}$'),
  entity_name text not null check (char_length(entity_name) between 2 and 60),
  tax_no text not null check (tax_no ~ '^[0-9A-Z]{18}$'),
  bank_name text not null check (char_length(bank_name) between 2 and 60),
  bank_account_cipher text not null,
  bank_account_masked text not null,
  -- runs an internet platform: its doctors' tax is reckoned over the year
  is_platform boolean not null,
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);

create table settlement_rule (
  id bigint generated always as identity primary key,
  rule_code text not null unique,
  rule_name text not null check (char_length(rule_name) between 2 and 40),
  rule_type text not null check (rule_type in ('SHARE', 'CYCLE')),
  created_at timestamptz not null,
  created_by bigint
);

create table settlement_rule_version (
  id bigint generated always as identity primary key,
  rule_id bigint not null references settlement_rule (id),
  rule_type text not null check (rule_type in ('SHARE', 'CYCLE')),
  version_no int not null check (version_no > 0),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PENDING_AUDIT', 'PUBLISHED', 'REJECTED', 'RETIRED')),
  effective_from date not null,
  -- exclusive
  effective_to date,
  doctor_id bigint,
  channel_id bigint,
  service_item_id bigint,
  service_type text,
  doctor_title text,
  hospital_level text,
  scope_weight int not null generated always as (
    (case when doctor_id is null then 0 else 32 end) + (case when channel_id is null then 0 else 16 end)
      + (case when service_item_id is null then 0 else 8 end) + (case when service_type is null then 0 else 4 end)
      + (case when doctor_title is null then 0 else 2 end) + (case when hospital_level is null then 0 else 1 end)
  ) stored,
  income_type text check (income_type in ('CONSULT', 'FOLLOW_UP')),
  base_type text check (base_type in ('PAID', 'LIST')),
  ratio_bp int check (ratio_bp between 0 and 10000),
  fixed_fen bigint check (fixed_fen >= 0),
  cap_fen bigint check (cap_fen > 0),
  freeze_days int check (freeze_days between 0 and 60),
  cycle_day int check (cycle_day between 1 and 28),
  min_payout_fen bigint check (min_payout_fen >= 0),
  payer_entity_id bigint references settlement_payer (id),
  -- whom it is about, in words
  scope_text text not null,
  test_cases jsonb not null default '[]' check (jsonb_typeof(test_cases) = 'array'),
  -- who is paid by it, as one text: two of equal weight overlap exactly where these are the same
  scope_key text not null generated always as (
    rule_type || '/' || coalesce(income_type, '') || '/' || coalesce(doctor_id::text, '') || '/' || coalesce(channel_id::text, '') || '/'
      || coalesce(service_item_id::text, '') || '/' || coalesce(service_type, '') || '/' || coalesce(doctor_title, '') || '/'
      || coalesce(hospital_level, '')
  ) stored,
  opinion text,
  published_at timestamptz,
  version int not null default 1,
  maker_name text not null,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (rule_id, version_no),
  check (effective_to is null or effective_to >= effective_from),
  check (rule_type <> 'SHARE' or income_type is not null and base_type is not null and ratio_bp is not null and fixed_fen is not null),
  check (rule_type <> 'SHARE' or ratio_bp > 0 or fixed_fen > 0),
  check (
    rule_type <> 'CYCLE'
      or freeze_days is not null and cycle_day is not null and min_payout_fen is not null and payer_entity_id is not null
  ),
  check ((published_at is not null) = (status in ('PUBLISHED', 'RETIRED'))),
  constraint settlement_rule_version_one_scope exclude using gist
    (scope_key with =, daterange(effective_from, effective_to) with &&) where (status in ('PUBLISHED', 'RETIRED')),
  constraint settlement_rule_version_one_rule exclude using gist
    (rule_id with =, daterange(effective_from, effective_to) with &&) where (status in ('PUBLISHED', 'RETIRED'))
);

-- Doctors as their domain tells of them: lists are searched by their names.
create table settlement_doctor (
  doctor_id bigint primary key,
  doctor_no text not null,
  name text not null,
  title_code text,
  hospital_id bigint,
  hospital_name text,
  channel_id bigint,
  account_state text not null check (account_state in ('NORMAL', 'FROZEN', 'CANCELLED')),
  -- what was earned and is not paid yet, of all payers; follows the incomes
  unsettled_fen bigint not null default 0,
  updated_at timestamptz not null
);

create table settlement_account (
  id bigint generated always as identity primary key,
  doctor_id bigint not null unique references settlement_doctor (doctor_id),
  real_name text not null default '' check (char_length(real_name) <= 40),
  id_type text check (id_type in ('ID_CARD', 'HK_MO', 'PASSPORT')),
  id_no_cipher text,
  id_no_masked text,
  tax_resident boolean not null default true,
  bank_name text not null default '' check (char_length(bank_name) <= 60),
  branch_name text not null default '' check (char_length(branch_name) <= 80),
  cnaps_code text check (cnaps_code ~ '^[0-9]{12}$'),
  bank_account_cipher text,
  bank_account_masked text,
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  verify_status text not null default 'UNVERIFIED' check (verify_status in ('UNVERIFIED', 'VERIFIED', 'FAILED')),
  verified_at timestamptz,
  verify_message text,
  -- grows when name, papers or card change: a payment keeps which one it was made for
  payee_no int not null default 0,
  settle_state text not null default 'NORMAL' check (settle_state in ('NORMAL', 'FROZEN')),
  freeze_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((verify_status = 'VERIFIED') = (verified_at is not null)),
  check (verify_status <> 'VERIFIED' or bank_account_cipher is not null and id_no_cipher is not null and real_name <> '')
);
create index settlement_account_mobile on settlement_account (mobile_hash);

create table settlement_account_history (
  id bigint generated always as identity primary key,
  account_id bigint not null references settlement_account (id),
  payee_no int not null,
  real_name text not null,
  id_no_masked text,
  bank_name text not null,
  bank_account_cipher text,
  bank_account_masked text,
  changed_by bigint,
  changed_by_name text not null,
  changed_at timestamptz not null
);
create index settlement_account_history_account on settlement_account_history (account_id, id);

-- One completed order, once; without a rule it waits for one.
create table settlement_fact (
  order_id bigint primary key,
  order_no text not null,
  doctor_id bigint not null,
  service_item_id bigint not null,
  service_type text not null,
  product_line_id bigint,
  channel_id bigint,
  agent_id bigint,
  pay_fen bigint not null check (pay_fen >= 0),
  list_fen bigint not null check (list_fen >= 0),
  refunded_fen bigint not null default 0 check (refunded_fen >= 0 and refunded_fen <= pay_fen),
  completed_at timestamptz not null,
  state text not null default 'WAITING' check (state in ('WAITING', 'DONE')),
  created_at timestamptz not null
);
create index settlement_fact_waiting on settlement_fact (order_id) where state = 'WAITING';

create table settlement_income (
  id bigint generated always as identity primary key,
  income_no text not null unique,
  doctor_id bigint not null references settlement_doctor (doctor_id),
  payer_entity_id bigint not null references settlement_payer (id),
  income_type text not null check (income_type in ('CONSULT', 'FOLLOW_UP', 'ADJUST', 'CLAWBACK')),
  source_type text not null check (source_type in ('CONSULT_ORDER', 'ADJUST')),
  source_id bigint not null,
  source_no text not null,
  seq int not null default 0 check (seq >= 0),
  service_type text,
  rule_version_id bigint references settlement_rule_version (id),
  cycle_version_id bigint references settlement_rule_version (id),
  occurred_at timestamptz not null,
  available_at timestamptz not null,
  base_fen bigint not null check (base_fen >= 0),
  gross_fen bigint not null check (gross_fen <> 0),
  calc_trace jsonb not null check (jsonb_typeof(calc_trace) = 'object'),
  agent_id bigint,
  status text not null check (status in ('PENDING', 'AVAILABLE', 'HELD', 'REVERSED')),
  -- its money has become payable (T2)
  matured boolean not null,
  hold_reason text,
  original_item_id bigint references settlement_income (id),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  -- one fact, one income
  unique (source_type, source_id, income_type, seq),
  check (gross_fen > 0 or income_type in ('CLAWBACK', 'ADJUST')),
  check (income_type <> 'CLAWBACK' or gross_fen < 0 and original_item_id is not null),
  check (status <> 'PENDING' or not matured),
  check (status <> 'AVAILABLE' or matured),
  check ((status = 'HELD') = (hold_reason is not null)),
  check (status <> 'HELD' or gross_fen > 0)
);
create index settlement_income_doctor on settlement_income (doctor_id, occurred_at);
create index settlement_income_due on settlement_income (available_at) where status = 'PENDING';
create index settlement_income_occurred on settlement_income (occurred_at, id);
create index settlement_income_standing on settlement_income ((case when status in ('REVERSED') then 1 else 0 end), occurred_at desc, id desc);
create index settlement_income_source on settlement_income (source_no);
create index settlement_income_original on settlement_income (original_item_id) where original_item_id is not null;

create table settlement_adjust (
  id bigint generated always as identity primary key,
  adjust_no text not null unique,
  doctor_id bigint not null references settlement_doctor (doctor_id),
  payer_entity_id bigint not null references settlement_payer (id),
  gross_fen bigint not null check (gross_fen <> 0),
  reason text not null check (char_length(reason) between 10 and 200),
  file_ids bigint[] not null check (array_length(file_ids, 1) between 1 and 3),
  status text not null default 'PENDING' check (status in ('PENDING', 'PENDING_SECOND', 'APPROVED', 'REJECTED', 'CANCELLED')),
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  second_checker_id bigint,
  second_checker_name text,
  opinion text,
  income_id bigint references settlement_income (id),
  version int not null default 1,
  created_at timestamptz not null,
  check (checker_id is null or checker_id <> maker_id),
  check (second_checker_id is null or second_checker_id <> maker_id and second_checker_id <> checker_id),
  check ((status = 'APPROVED') = (income_id is not null)),
  check (status <> 'APPROVED' or abs(gross_fen) < 1000000 or second_checker_id is not null)
);
create index settlement_adjust_doctor on settlement_adjust (doctor_id);
