-- append-only: enrolment_pay_notice
-- Contracts that give their rights for a term, with their changes, payments, refunds and terminations.

create table enrolment_contract (
  id bigint generated always as identity primary key,
  contract_no text not null unique,
  -- first contract of the chain; null: this one is
  chain_id bigint references enrolment_contract (id),
  previous_contract_id bigint unique references enrolment_contract (id),
  renew_seq int not null default 0 check (renew_seq >= 0),
  apply_id bigint,
  origin text not null check (origin in ('APPLY', 'AUTO', 'RENEW')),
  product_line text not null check (product_line in ('STANDARD', 'SAAS', 'RSB', 'HMO', 'DAAS')),
  product_id bigint not null,
  product_code text not null,
  product_name text not null,
  product_version_id bigint not null,
  plan_code text not null,
  insured_item_id bigint not null,
  policy_id bigint not null,
  policy_no text not null,
  insurer_id bigint,
  insurer_name text,
  adcode text,
  patient_id bigint not null,
  hospital_id bigint,
  drug_key text not null,
  drug_ids text[] not null default '{}',
  insured_name text not null,
  id_type text not null,
  id_no_cipher text,
  id_no_hash text,
  id_no_masked text,
  mobile_cipher text,
  mobile_hash text,
  mobile_masked text,
  birth_date date,
  gender text,
  -- the cover without a gap, by which years of limits are counted
  coverage_start date not null,
  coverage_end date not null,
  start_date date,
  end_date date,
  term_months int not null check (term_months > 0),
  template_code text not null,
  template_version int not null default 1,
  sign_file_id bigint,
  sign_sha256 text check (sign_sha256 ~ '^[0-9a-f]{64}$'),
  signed_at timestamptz,
  sign_channel text check (sign_channel in ('E_SIGN', 'PAPER')),
  sign_due_at timestamptz,
  pay_mode text not null check (pay_mode in ('NONE', 'PLATFORM', 'SPONSOR')),
  -- what a whole term costs; `fee_fen` is what is due for this one
  list_fee_fen bigint not null default 0 check (list_fee_fen >= 0),
  prorated boolean not null default false,
  cooling_off_days int not null default 0 check (cooling_off_days >= 0),
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  paid_fen bigint not null default 0 check (paid_fen >= 0),
  refunded_fen bigint not null default 0 check (refunded_fen >= 0),
  payee_name text,
  payee_bank text,
  payee_account_cipher text,
  payee_account_masked text,
  review_cycle_days int check (review_cycle_days > 0),
  next_review_on date,
  review_reminded_on date,
  continuous_from date,
  has_social boolean,
  pre_existing_icd text[] not null default '{}',
  family_subject_id bigint not null,
  -- first day without cover, as policy told it; null: none is known
  cover_lost_on date,
  renewed_policy_id bigint,
  renewed_policy_no text,
  state text not null check (
    state in ('WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED', 'EXPIRED', 'TERMINATED', 'CANCELLED')
  ),
  suspend_reason text check (suspend_reason in ('REVIEW_OVERDUE', 'POLICY', 'RISK', 'MANUAL')),
  cancel_reason text check (cancel_reason in ('UNSIGNED', 'UNPAID', 'REVOKED', 'MANUAL')),
  terminate_reason text check (terminate_reason in ('DEATH', 'LEFT', 'FRAUD', 'REQUEST', 'OTHER')),
  terminated_on date,
  amend_seq int not null default 0 check (amend_seq >= 0),
  event_seq int not null default 0,
  -- as claim reports them
  claim_paid_fen bigint not null default 0,
  open_claim_count int not null default 0 check (open_claim_count >= 0),
  last_claim_paid_on date,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((origin = 'AUTO') = (product_line = 'DAAS')),
  check (origin <> 'APPLY' or apply_id is not null),
  check ((previous_contract_id is null) = (chain_id is null)),
  check (coverage_start <= coverage_end),
  check ((start_date is null) = (end_date is null)),
  check (start_date <= end_date),
  check ((signed_at is null) = (sign_sha256 is null) and (signed_at is null) = (sign_channel is null)),
  check (sign_sha256 is null or sign_file_id is not null),
  check (state in ('WAIT_SIGN', 'CANCELLED') or origin = 'AUTO' or signed_at is not null),
  check (state in ('WAIT_SIGN', 'CANCELLED') or start_date is not null),
  check ((state = 'SUSPENDED') = (suspend_reason is not null)),
  check ((state = 'CANCELLED') = (cancel_reason is not null)),
  check ((state = 'TERMINATED') = (terminated_on is not null) and (state = 'TERMINATED') = (terminate_reason is not null)),
  check (refunded_fen <= paid_fen),
  check (pay_mode = 'PLATFORM' or fee_fen = 0)
);
create unique index enrolment_contract_apply on enrolment_contract (apply_id)
  where apply_id is not null and cancel_reason is distinct from 'REVOKED';
create unique index enrolment_contract_live on enrolment_contract (insured_item_id, product_id, drug_key)
  where state in ('WAIT_SIGN', 'WAIT_PAY', 'NOT_STARTED', 'ACTIVE', 'SUSPENDED');
create index enrolment_contract_end on enrolment_contract (state, end_date);
create index enrolment_contract_chain on enrolment_contract (chain_id);
create index enrolment_contract_review on enrolment_contract (next_review_on) where state = 'ACTIVE';
create index enrolment_contract_person on enrolment_contract (id_no_hash);
create index enrolment_contract_mobile on enrolment_contract (mobile_hash);
create index enrolment_contract_policy on enrolment_contract (policy_id);
create index enrolment_contract_insured on enrolment_contract (insured_item_id);
create index enrolment_contract_created on enrolment_contract (created_at, id);
create index enrolment_contract_standing on enrolment_contract (
  (case when state in ('EXPIRED', 'TERMINATED') then 1 when state in ('CANCELLED') then 2 else 0 end), id desc
);

create table enrolment_amendment (
  id bigint generated always as identity primary key,
  contract_id bigint not null references enrolment_contract (id),
  seq int not null check (seq > 0),
  type text not null check (type in ('DRUG', 'PAYEE', 'CONTACT', 'EXTEND', 'PLAN')),
  effective_on date not null,
  -- as people read them, sensitive values masked
  changes jsonb not null,
  -- what is written into the contract, sensitive values as ciphers; and what stood there
  facts jsonb not null,
  former jsonb not null,
  reason text not null default '',
  file_ids bigint[] not null default '{}',
  state text not null default 'PENDING' check (state in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED')),
  -- its facts stand in the contract
  applied boolean not null default false,
  maker_id bigint,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (checker_id is null or maker_id is null or checker_id <> maker_id),
  check ((state = 'PENDING') = (decided_at is null)),
  check (not applied or state = 'APPROVED')
);
-- approved changes are counted; what came to nothing leaves its number to the next
create unique index enrolment_amendment_seq on enrolment_amendment (contract_id, seq) where state in ('PENDING', 'APPROVED');
create unique index enrolment_amendment_pending on enrolment_amendment (contract_id) where state = 'PENDING';
create index enrolment_amendment_due on enrolment_amendment (effective_on) where state = 'APPROVED' and not applied;
create index enrolment_amendment_contract on enrolment_amendment (contract_id, id);

create table enrolment_contract_pay (
  id bigint generated always as identity primary key,
  pay_no text not null unique,
  contract_id bigint not null references enrolment_contract (id),
  due_on date not null,
  amount_fen bigint not null check (amount_fen > 0),
  refunded_fen bigint not null default 0 check (refunded_fen >= 0),
  channel text not null check (channel in ('WECHAT', 'ALIPAY', 'BANK', 'OFFLINE')),
  payer_name text not null,
  channel_trade_no text,
  expire_at timestamptz not null,
  paid_at timestamptz,
  state text not null default 'INIT' check (state in ('INIT', 'PENDING', 'CHECKING', 'SUCCESS', 'FAILED', 'UNKNOWN', 'CLOSED')),
  -- why somebody should look: another sum came, it came too late
  flag text check (flag in ('AMOUNT', 'LATE')),
  asked_at timestamptz,
  unknown_since timestamptz,
  ask_due_at timestamptz,
  proof_file_id bigint,
  maker_id bigint,
  maker_name text,
  checker_id bigint,
  checker_name text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (refunded_fen <= amount_fen),
  check (state <> 'SUCCESS' or paid_at is not null and channel_trade_no is not null),
  check ((state = 'UNKNOWN') = (unknown_since is not null)),
  check (state <> 'CHECKING' or maker_id is not null and proof_file_id is not null),
  check (checker_id is null or checker_id <> maker_id)
);
create unique index enrolment_contract_pay_trade on enrolment_contract_pay (channel, channel_trade_no) where channel_trade_no is not null;
create unique index enrolment_contract_pay_live on enrolment_contract_pay (contract_id)
  where state not in ('CLOSED', 'FAILED') and flag is distinct from 'LATE';
create index enrolment_contract_pay_contract on enrolment_contract_pay (contract_id, id);
create index enrolment_contract_pay_ask on enrolment_contract_pay (ask_due_at) where ask_due_at is not null;
create index enrolment_contract_pay_expire on enrolment_contract_pay (expire_at) where state in ('INIT', 'PENDING');

create table enrolment_contract_refund (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  contract_id bigint not null references enrolment_contract (id),
  pay_id bigint not null references enrolment_contract_pay (id),
  amount_fen bigint not null check (amount_fen > 0),
  calc jsonb not null,
  reason text not null,
  state text not null check (state in ('APPLIED', 'PENDING', 'REJECTED', 'SUCCESS', 'FAILED', 'UNKNOWN')),
  maker_id bigint,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  channel_refund_no text,
  refunded_at timestamptz,
  fail_reason text,
  proof_file_id bigint,
  unknown_since timestamptz,
  ask_due_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (checker_id is null or checker_id <> maker_id),
  check (state in ('APPLIED', 'REJECTED') or maker_id is null or checker_id is not null),
  check (state <> 'SUCCESS' or refunded_at is not null),
  check ((state = 'UNKNOWN') = (unknown_since is not null))
);
create unique index enrolment_contract_refund_open on enrolment_contract_refund (pay_id) where state in ('APPLIED', 'PENDING', 'UNKNOWN');
create index enrolment_contract_refund_contract on enrolment_contract_refund (contract_id, id);
create index enrolment_contract_refund_ask on enrolment_contract_refund (ask_due_at) where ask_due_at is not null;

-- what a channel, the bank or somebody with a voucher said of payments
create table enrolment_pay_notice (
  id bigint generated always as identity primary key,
  contract_id bigint references enrolment_contract (id),
  pay_no text not null,
  channel text not null check (channel in ('WECHAT', 'ALIPAY', 'BANK', 'OFFLINE')),
  channel_trade_no text not null,
  amount_fen bigint not null,
  paid_at timestamptz not null,
  source text not null check (source in ('NOTICE', 'QUERY', 'HAND')),
  outcome text not null check (outcome in ('PAID', 'LATE', 'TWICE', 'AMOUNT')),
  at timestamptz not null,
  unique (channel, channel_trade_no, outcome)
);
create index enrolment_pay_notice_contract on enrolment_pay_notice (contract_id, id);

create table enrolment_termination (
  id bigint generated always as identity primary key,
  contract_id bigint not null references enrolment_contract (id),
  terminated_on date not null,
  reason text not null check (reason in ('DEATH', 'LEFT', 'FRAUD', 'REQUEST', 'OTHER')),
  note text not null,
  refund_fen bigint not null check (refund_fen >= 0),
  state text not null default 'PENDING' check (state in ('PENDING', 'CONFIRMED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
  expires_at timestamptz not null,
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (checker_id is null or checker_id <> maker_id),
  check (state <> 'CONFIRMED' or checker_id is not null)
);
create unique index enrolment_termination_pending on enrolment_termination (contract_id) where state = 'PENDING';
create index enrolment_termination_contract on enrolment_termination (contract_id, id);
