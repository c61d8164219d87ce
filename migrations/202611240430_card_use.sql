-- append-only: card_bill_payment
-- Use of cards: what is set aside, written off, reversed; what of it is settled with whom. Money stands in the ledger; amounts are fen.

create table card_hold (
  id bigint generated always as identity primary key,
  hold_no text not null unique,
  biz_type text not null check (biz_type in ('ORDER', 'MANUAL', 'RIGHTS')),
  biz_id bigint not null,
  biz_no text not null check (char_length(biz_no) between 1 and 40),
  order_type text not null check (char_length(order_type) <= 40),
  card_id bigint not null references card_card (id),
  kind text not null check (kind in ('BENEFIT_CARD', 'COUPON', 'STORED_VALUE')),
  drugstore_id bigint,
  drugstore_name text check (char_length(drugstore_name) <= 100),
  payable bigint not null check (payable >= 0),
  amount bigint not null check (amount >= 0),
  times int not null check (times >= 0),
  -- COUPON for coupons
  benefit_id text,
  captured_amount bigint not null default 0 check (captured_amount >= 0),
  state text not null default 'HELD' check (state in ('HELD', 'CAPTURED', 'RELEASED', 'TIMED_OUT')),
  expire_at timestamptz not null,
  ledger_hold_id bigint,
  ledger_transfer_id bigint,
  -- as the ledger fixed them, in the order of use
  lots jsonb not null check (jsonb_typeof(lots) = 'array'),
  key text not null unique check (char_length(key) <= 200),
  operator_type text not null check (operator_type in ('AUTO', 'STORE', 'STAFF')),
  operator_id text not null,
  operator_name text not null,
  release_reason text,
  -- a coupon or times that came back after they were used
  restored_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  closed_at timestamptz,
  check (captured_amount <= amount),
  check ((kind = 'STORED_VALUE') = (times = 0)),
  check ((state = 'HELD') = (closed_at is null))
);
-- A coupon is never used twice.
create unique index card_hold_coupon on card_hold (card_id) where kind = 'COUPON' and state in ('HELD', 'CAPTURED') and restored_at is null;
create index card_hold_card on card_hold (card_id, created_at);
create index card_hold_order on card_hold (biz_type, biz_id);
create index card_hold_biz_no on card_hold (biz_no);
create index card_hold_due on card_hold (expire_at) where state = 'HELD';
create index card_hold_created on card_hold (created_at, id);

create table card_hold_line (
  hold_id bigint not null references card_hold (id),
  line_no int not null check (line_no > 0),
  order_line_id bigint not null,
  goods_name text not null,
  quantity int not null check (quantity > 0),
  payable bigint not null check (payable >= 0),
  amount bigint not null check (amount >= 0),
  times int not null check (times >= 0),
  merchant_id text not null,
  merchant_name text not null,
  primary key (hold_id, line_no),
  unique (hold_id, order_line_id)
);

create table card_write_off (
  id bigint generated always as identity primary key,
  write_off_no text not null unique,
  hold_id bigint not null references card_hold (id),
  card_id bigint not null references card_card (id),
  card_type_id bigint not null references card_type (id),
  kind text not null check (kind in ('BENEFIT_CARD', 'COUPON', 'STORED_VALUE')),
  order_id bigint not null,
  order_no text not null,
  order_line_id bigint not null,
  merchant_id text not null,
  merchant_name text not null,
  goods_name text not null,
  quantity int not null,
  -- of times: what the provider gets for them
  amount bigint not null check (amount >= 0),
  times int not null check (times >= 0),
  benefit_id text,
  fee_amount bigint not null check (fee_amount >= 0),
  net_amount bigint not null,
  -- what the funder of the card type owes for it
  receivable_amount bigint not null check (receivable_amount >= 0),
  operator_type text not null check (operator_type in ('AUTO', 'STORE', 'STAFF')),
  operator_id text not null,
  operator_name text not null,
  state text not null default 'DONE' check (state in ('DONE', 'PART_REVERSED', 'REVERSED')),
  reversed_amount bigint not null default 0 check (reversed_amount >= 0),
  reversed_fee bigint not null default 0 check (reversed_fee >= 0),
  done_at timestamptz not null,
  version int not null default 1,
  unique (hold_id, order_line_id),
  check (reversed_amount <= amount and reversed_fee <= fee_amount),
  check (net_amount = amount - fee_amount and receivable_amount <= amount)
);
create index card_write_off_merchant on card_write_off (merchant_id, done_at);
create index card_write_off_type on card_write_off (card_type_id, done_at);
create index card_write_off_card on card_write_off (card_id, done_at);
create index card_write_off_order on card_write_off (order_no);
create index card_write_off_done on card_write_off (done_at, id);

create table card_reversal (
  id bigint generated always as identity primary key,
  reversal_no text not null unique,
  write_off_id bigint not null references card_write_off (id),
  key text not null unique check (char_length(key) <= 200),
  amount bigint not null check (amount >= 0),
  fee_amount bigint not null check (fee_amount >= 0),
  receivable_amount bigint not null default 0 check (receivable_amount >= 0),
  lots jsonb not null check (jsonb_typeof(lots) = 'array'),
  reason_code text not null check (reason_code in ('RETURN', 'WRONG_AMOUNT', 'WRONG_CARD', 'DUPLICATE', 'OTHER')),
  opinion text not null check (char_length(opinion) <= 500),
  requested_by text not null,
  requested_by_name text not null,
  approved_by text,
  approved_by_name text,
  audit_opinion text,
  status text not null default 'PENDING' check (status in ('PENDING', 'DONE', 'REJECTED')),
  done_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  check ((status = 'DONE') = (done_at is not null))
);
create unique index card_reversal_pending on card_reversal (write_off_id) where status = 'PENDING';
create index card_reversal_write_off on card_reversal (write_off_id);
create index card_reversal_created on card_reversal (created_at, id);

create function card_reversal_kept() returns trigger language plpgsql as $$
begin
  if old.status = 'DONE' then raise exception 'a reversal that was done is not changed'; end if;
  return new;
end $$;
create trigger card_reversal_kept before update on card_reversal for each row execute function card_reversal_kept();

-- What is known of orders until their domain answers itself: from its events.
create table card_order_copy (
  order_id bigint primary key,
  order_no text not null unique,
  order_type text not null,
  patient_id bigint,
  drugstore_id bigint,
  drugstore_name text,
  pay_fen bigint not null check (pay_fen >= 0),
  closed boolean not null default false,
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  order_time timestamptz not null,
  updated_at timestamptz not null
);

create table card_settlement_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  direction text not null check (direction in ('RECEIVABLE', 'PAYABLE')),
  kind text not null check (kind in ('BENEFIT_CARD', 'COUPON', 'STORED_VALUE')),
  biz_line text not null check (biz_line in ('HMO', 'SAAS', 'DAAS', 'OWN')),
  period_from date not null,
  period_to date not null,
  cutoff_at timestamptz not null,
  counterparty_ids text[] not null default '{}',
  bill_count int not null default 0,
  line_count int not null default 0,
  gross_amount bigint not null default 0,
  reversal_amount bigint not null default 0,
  fee_amount bigint not null default 0,
  net_amount bigint not null default 0,
  checks jsonb not null,
  status text not null default 'GENERATING' check (status in ('GENERATING', 'DRAFT', 'PENDING_AUDIT', 'REJECTED', 'CONFIRMING', 'FINISHED', 'VOIDED')),
  created_by bigint,
  created_by_name text not null,
  submitted_by bigint,
  submitted_by_name text,
  audited_by bigint,
  audited_by_name text,
  version int not null default 1,
  created_at timestamptz not null,
  check (period_to >= period_from)
);
create unique index card_settlement_batch_open on card_settlement_batch (direction, kind, biz_line) where status in ('GENERATING', 'DRAFT', 'PENDING_AUDIT', 'REJECTED');

create table card_settlement_bill (
  id bigint generated always as identity primary key,
  bill_no text not null unique,
  batch_id bigint not null references card_settlement_batch (id),
  direction text not null check (direction in ('RECEIVABLE', 'PAYABLE')),
  counterparty_type text not null check (counterparty_type in ('MERCHANT', 'INSURER', 'PHARMA', 'SPONSOR', 'PLATFORM', 'CUSTOMER')),
  counterparty_id text not null,
  counterparty_name text not null,
  product_code text,
  line_count int not null,
  gross_amount bigint not null,
  reversal_amount bigint not null,
  fee_amount bigint not null,
  adjust_amount bigint not null,
  net_amount bigint not null,
  confirmed_amount bigint,
  settled_amount bigint not null default 0 check (settled_amount >= 0),
  invoice_state text not null default 'NONE' check (invoice_state in ('NONE', 'PART', 'DONE', 'RED')),
  payment_no text,
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PENDING_CONFIRM', 'DISPUTED', 'CONFIRMED', 'PART_SETTLED', 'SETTLED', 'VOIDED')),
  confirm_file_id bigint,
  confirmed_at timestamptz,
  reminded_at timestamptz,
  due_date date,
  version int not null default 1,
  created_at timestamptz not null,
  check (net_amount = gross_amount - reversal_amount - fee_amount + adjust_amount),
  check (settled_amount <= coalesce(confirmed_amount, 0))
);
create index card_settlement_bill_batch on card_settlement_bill (batch_id);
create index card_settlement_bill_partner on card_settlement_bill (direction, counterparty_type, counterparty_id);

create table card_settlement_line (
  id bigint generated always as identity primary key,
  bill_id bigint not null references card_settlement_bill (id),
  direction text not null check (direction in ('RECEIVABLE', 'PAYABLE')),
  line_no int not null,
  source_type text not null check (source_type in ('WRITE_OFF', 'REVERSAL', 'GRANT', 'ADJUST')),
  -- null: what a bill itself carries to the next period
  source_id bigint,
  source_no text not null,
  order_no text,
  amount bigint not null,
  fee bigint not null,
  net bigint not null,
  -- the next period takes it with the other sign
  carries boolean not null default false,
  match_state text not null default 'UNCHECKED' check (match_state in ('UNCHECKED', 'MATCHED', 'AMOUNT_DIFF', 'OURS_ONLY', 'THEIRS_ONLY')),
  their_amount bigint,
  resolution text check (resolution in ('OURS', 'THEIRS', 'NEXT')),
  resolved_by bigint,
  resolved_at timestamptz,
  opinion text check (char_length(opinion) <= 500),
  -- false: of a bill that was voided; its source is free for another
  live boolean not null default true,
  done_at timestamptz,
  created_at timestamptz not null,
  check (net = amount - fee)
);
create unique index card_settlement_line_once on card_settlement_line (source_type, source_id, direction) where live;
create index card_settlement_line_bill on card_settlement_line (bill_id, line_no);

create table card_bill_payment (
  id bigint generated always as identity primary key,
  bill_id bigint not null references card_settlement_bill (id),
  payment_no text not null,
  amount bigint not null,
  paid_at timestamptz not null,
  created_at timestamptz not null,
  unique (bill_id, payment_no)
);

create table card_fund_prepay (
  id bigint generated always as identity primary key,
  prepay_no text not null unique,
  funder_type text not null check (funder_type in ('INSURER', 'PHARMA', 'SPONSOR', 'PLATFORM', 'CUSTOMER')),
  funder_id bigint,
  funder_name text not null,
  product_code text,
  amount bigint not null check (amount > 0),
  bank_serial_no text not null unique,
  received_on date not null,
  voucher_file_id bigint,
  status text not null default 'PENDING' check (status in ('PENDING', 'CONFIRMED', 'REJECTED')),
  created_by bigint not null,
  created_by_name text not null,
  confirmed_by bigint,
  confirmed_by_name text,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null
);
create index card_fund_prepay_created on card_fund_prepay (created_at, id);

create table card_finding (
  id bigint generated always as identity primary key,
  invariant_code text not null check (invariant_code ~ '^I\d{1,2}$'),
  subject_type text not null,
  subject_id bigint not null,
  subject text not null,
  expected text not null,
  actual text not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'FIXING', 'CLOSED')),
  owner_id bigint,
  owner_name text,
  fix_note text,
  found_at timestamptz not null,
  closed_at timestamptz,
  version int not null default 1
);
create unique index card_finding_open on card_finding (invariant_code, subject_type, subject_id) where status <> 'CLOSED';

-- What a funder that settles by grants owes for them; negative where they were taken back.
create table card_grant_due (
  id bigint generated always as identity primary key,
  card_type_id bigint not null references card_type (id),
  key text not null unique,
  source_no text not null,
  amount bigint not null,
  at timestamptz not null
);
