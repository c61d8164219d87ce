-- Projections for statistics: one row per application, claim, premium order and insured person, each as its last event left it.
create table insurance_stat_enrolment (
  apply_id bigint primary key,
  apply_no text not null,
  insured_item_id bigint,
  insurer_id bigint,
  product_id bigint not null,
  product_line text not null,
  adcode text not null,
  state text not null check (state in ('SUBMITTED', 'APPROVED', 'REJECTED', 'CLOSED')),
  submitted_at timestamptz not null,
  decided_at timestamptz,
  first_round_pass boolean,
  test_user boolean not null,
  seq int not null
);
create index insurance_stat_enrolment_product on insurance_stat_enrolment (product_id, submitted_at);
create index insurance_stat_enrolment_insurer on insurance_stat_enrolment (insurer_id, submitted_at);
create index insurance_stat_enrolment_state on insurance_stat_enrolment (state, submitted_at);
create index insurance_stat_enrolment_submitted on insurance_stat_enrolment (submitted_at);

create table insurance_stat_claim (
  claim_id bigint primary key,
  claim_no text not null,
  round int not null,
  insurer_id bigint,
  product_id bigint not null,
  product_version_id bigint,
  product_line text not null,
  adcode text not null,
  -- as the claim calls it; `open`: nothing is decided yet
  state text not null,
  open boolean not null,
  submitted_at timestamptz not null,
  decided_at timestamptz,
  paid_at timestamptz,
  claimed_fen bigint not null,
  approved_fen bigint not null,
  paid_fen bigint not null,
  reason_codes text[] not null,
  -- {W02: fen, …}: what each step of the waterfall took, once decided
  cuts jsonb not null default '{}',
  -- round whose decision `cuts` and the medicines are of
  detail_round int not null default 0,
  work_minutes int,
  test_user boolean not null,
  seq int not null
);
create index insurance_stat_claim_product on insurance_stat_claim (product_id, submitted_at);
create index insurance_stat_claim_insurer on insurance_stat_claim (insurer_id, submitted_at);
create index insurance_stat_claim_state on insurance_stat_claim (state, submitted_at);
create index insurance_stat_claim_submitted on insurance_stat_claim (submitted_at);
create index insurance_stat_claim_decided on insurance_stat_claim (decided_at);
create index insurance_stat_claim_paid on insurance_stat_claim (paid_at);

-- Reserve, approved and paid amount as of the end of each day on which one of them changed.
create table insurance_stat_claim_day (
  claim_id bigint not null references insurance_stat_claim (claim_id) on delete cascade,
  date date not null,
  -- claimed amount while nothing is decided: the reserve of an open claim follows from it and the product's experience
  open_fen bigint not null,
  approved_fen bigint not null,
  paid_fen bigint not null,
  seq int not null,
  primary key (claim_id, date)
);
create index insurance_stat_claim_day_date on insurance_stat_claim_day (date);

-- What was claimed and approved of each medicine of a decided claim.
create table insurance_stat_claim_drug (
  claim_id bigint not null references insurance_stat_claim (claim_id) on delete cascade,
  medicine_id text not null,
  medicine_name text not null,
  claimed_fen bigint not null,
  approved_fen bigint not null,
  primary key (claim_id, medicine_id)
);

create table insurance_stat_premium (
  premium_order_id bigint primary key,
  policy_id bigint,
  insurer_id bigint,
  product_id bigint not null,
  product_line text not null,
  adcode text not null,
  coverage_start date not null,
  coverage_end date not null,
  amount_fen bigint not null,
  reversed boolean not null,
  seq int not null,
  check (coverage_end >= coverage_start)
);
create index insurance_stat_premium_product on insurance_stat_premium (product_id, coverage_start);
create index insurance_stat_premium_insurer on insurance_stat_premium (insurer_id, coverage_start);

create table insurance_stat_insured (
  insured_item_id bigint primary key,
  policy_id bigint not null,
  insurer_id bigint,
  product_id bigint not null,
  product_line text not null,
  adcode text not null,
  covered_from date not null,
  -- null: never covered (the addition was undone)
  covered_to date,
  seq int not null
);
create index insurance_stat_insured_product on insurance_stat_insured (product_id, covered_from);
create index insurance_stat_insured_policy on insurance_stat_insured (policy_id);

-- Events that a later one of the same thing has overtaken and that are still missing.
create table insurance_stat_gap (
  stream text not null,
  aggregate_id text not null,
  seq int not null,
  since timestamptz not null,
  primary key (stream, aggregate_id, seq)
);
create index insurance_stat_gap_since on insurance_stat_gap (since);
