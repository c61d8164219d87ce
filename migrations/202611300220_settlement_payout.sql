-- append-only: settlement_tax_record
-- Bills are paid in batches by a file of the bank, row by row; what was withheld stands in records that only add up.

create table settlement_payout_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  payer_entity_id bigint not null references settlement_payer (id),
  plan_pay_date date not null,
  tax_month text not null check (tax_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  item_count int not null default 0 check (item_count >= 0),
  gross_fen bigint not null default 0 check (gross_fen >= 0),
  tax_fen bigint not null default 0 check (tax_fen >= 0),
  net_fen bigint not null default 0 check (net_fen >= 0),
  status text not null default 'DRAFT' check (
    status in ('DRAFT', 'PENDING_REVIEW', 'PENDING_SECOND', 'APPROVED', 'EXPORTED', 'FINISHED', 'PARTIAL', 'REJECTED', 'VOIDED')
  ),
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  second_checker_id bigint,
  second_checker_name text,
  exported_by bigint,
  exported_by_name text,
  exported_at timestamptz,
  export_count int not null default 0,
  file_sha256 text check (file_sha256 ~ '^[0-9a-f]{64}$'),
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (gross_fen = tax_fen + net_fen),
  check (checker_id is null or checker_id <> maker_id),
  check (second_checker_id is null or second_checker_id <> maker_id and second_checker_id <> checker_id),
  check ((exported_at is not null) = (status in ('EXPORTED', 'FINISHED', 'PARTIAL'))),
  check (exported_at is null or file_sha256 is not null and checker_id is not null),
  check (exported_at is null or net_fen < 50000000 or second_checker_id is not null)
);
create index settlement_payout_batch_standing on settlement_payout_batch (
  (case when status in ('FINISHED', 'PARTIAL') then 1 when status in ('VOIDED') then 2 else 0 end), id desc
);

create table settlement_payout_item (
  id bigint generated always as identity primary key,
  batch_id bigint not null references settlement_payout_batch (id),
  bill_id bigint not null references settlement_bill (id),
  doctor_id bigint not null references settlement_doctor (doctor_id),
  -- names the payment to the bank, for ever
  biz_ref text not null unique,
  payee_no int not null,
  payee_name text not null,
  bank_name text not null,
  cnaps_code text not null,
  account_cipher text not null,
  account_masked text not null,
  gross_fen bigint not null check (gross_fen > 0),
  tax_fen bigint not null default 0 check (tax_fen >= 0),
  net_fen bigint not null check (net_fen > 0),
  tax jsonb,
  status text not null default 'INIT' check (status in ('INIT', 'PENDING', 'SUCCESS', 'FAILED', 'UNKNOWN', 'RETURNED', 'CANCELLED')),
  capture_transfer_id text,
  paid_transfer_id text,
  bank_serial_no text,
  bank_day date,
  fail_reason text,
  unknown_since timestamptz,
  ask_due_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (gross_fen = tax_fen + net_fen),
  check ((status = 'UNKNOWN') = (unknown_since is not null)),
  check (status not in ('SUCCESS', 'RETURNED') or bank_serial_no is not null and bank_day is not null and paid_transfer_id is not null),
  check (status in ('INIT', 'CANCELLED') or capture_transfer_id is not null)
);
create unique index settlement_payout_item_doctor on settlement_payout_item (batch_id, doctor_id) where status <> 'CANCELLED';
-- a bill is being paid once
create unique index settlement_payout_item_live on settlement_payout_item (bill_id) where status not in ('FAILED', 'RETURNED', 'CANCELLED');
create index settlement_payout_item_open on settlement_payout_item (id) where status in ('PENDING', 'UNKNOWN');
create index settlement_payout_item_bill on settlement_payout_item (bill_id, id);

create table settlement_tax_record (
  id bigint generated always as identity primary key,
  payer_entity_id bigint not null references settlement_payer (id),
  doctor_id bigint not null references settlement_doctor (doctor_id),
  payout_item_id bigint not null references settlement_payout_item (id),
  tax_month text not null,
  method text not null check (method in ('CUMULATIVE', 'PER_OCCURRENCE')),
  run_from text not null,
  gross_fen bigint not null,
  taxable_fen bigint not null,
  rate_bp int not null,
  cum_tax_fen bigint not null,
  previous_tax_fen bigint not null,
  tax_fen bigint not null,
  -- of a payment that did not reach the doctor: takes its record back in the same month
  is_back boolean not null default false,
  created_at timestamptz not null,
  unique (payout_item_id, is_back),
  check (is_back = (gross_fen < 0))
);
create index settlement_tax_record_month on settlement_tax_record (payer_entity_id, doctor_id, tax_month);

alter table settlement_bill drop constraint settlement_bill_status_check;
alter table settlement_bill add constraint settlement_bill_status_check check (
  status in ('CALCULATED', 'SUBMITTED', 'APPROVED', 'IN_BATCH', 'PAID', 'PAY_FAILED', 'REJECTED', 'HELD', 'VOIDED')
);
-- the account that a payment failed to reach: it is not tried again
alter table settlement_bill add column failed_payee_no int;
drop index settlement_bill_standing;
create index settlement_bill_standing on settlement_bill (
  (case when status in ('PAID') then 1 when status in ('VOIDED') then 2 else 0 end), id desc
);
alter table settlement_income drop constraint settlement_income_status_check;
alter table settlement_income
  add constraint settlement_income_status_check check (status in ('PENDING', 'AVAILABLE', 'LOCKED', 'SETTLED', 'HELD', 'REVERSED'));
alter table settlement_income drop constraint settlement_income_in_bill;
alter table settlement_income add constraint settlement_income_in_bill check ((status in ('LOCKED', 'SETTLED')) = (bill_id is not null));
drop index settlement_income_standing;
create index settlement_income_standing on settlement_income (
  (case when status in ('SETTLED') then 1 when status in ('REVERSED') then 2 else 0 end), occurred_at desc, id desc
);
