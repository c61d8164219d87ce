-- Payments of orders through pay channels, what goes back of them, and the batches in which it goes back.

create table invoice_payment (
  id bigint generated always as identity primary key,
  -- our number at the channel
  payment_no text not null unique,
  kind text not null default 'ORDER_PAY' check (kind in ('ORDER_PAY')),
  source_type text not null default 'ORDER' check (source_type in ('ORDER')),
  source_id bigint not null,
  source_no text not null,
  title text not null,
  channel text not null check (channel in ('WECHAT', 'ALIPAY')),
  amount_fen bigint not null check (amount_fen > 0),
  -- what the channel says that it took in; null: nothing
  received_fen bigint check (received_fen > 0),
  -- of what was received: all that goes back or went back, and what did
  reserved_fen bigint not null default 0 check (reserved_fen >= 0),
  refunded_fen bigint not null default 0 check (refunded_fen >= 0),
  status text not null default 'INIT' check (status in ('INIT', 'PENDING', 'UNKNOWN', 'SUCCESS', 'FAILED', 'CLOSED')),
  -- why the order was not paid by it
  flag text check (flag in ('DUPLICATE', 'LATE', 'AMOUNT')),
  channel_trade_no text,
  expire_at timestamptz not null,
  paid_at timestamptz,
  finished_at timestamptz,
  asked_at timestamptz,
  query_times int not null default 0 check (query_times >= 0),
  unknown_since timestamptz,
  ask_due_at timestamptz,
  fail_reason text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (refunded_fen <= reserved_fen and reserved_fen <= coalesce(received_fen, 0)),
  check ((status = 'SUCCESS') = (received_fen is not null)),
  check (status <> 'SUCCESS' or paid_at is not null and channel_trade_no is not null),
  check (flag is null or status = 'SUCCESS'),
  check ((status in ('SUCCESS', 'FAILED', 'CLOSED')) = (finished_at is not null)),
  check ((status = 'UNKNOWN') = (unknown_since is not null))
);
create unique index invoice_payment_trade on invoice_payment (channel, channel_trade_no) where channel_trade_no is not null;
create unique index invoice_payment_live on invoice_payment (source_id, channel) where status in ('INIT', 'PENDING', 'UNKNOWN');
create index invoice_payment_source on invoice_payment (source_id, id);
create index invoice_payment_source_no on invoice_payment (source_no);
create index invoice_payment_status on invoice_payment (status, id);
create index invoice_payment_standing on invoice_payment ((case when status in ('CLOSED') then 1 else 0 end), id desc);
create index invoice_payment_created on invoice_payment (created_at, id);
create index invoice_payment_paid on invoice_payment (paid_at) where paid_at is not null;
create index invoice_payment_ask on invoice_payment (ask_due_at) where ask_due_at is not null;
create index invoice_payment_expire on invoice_payment (expire_at) where status in ('INIT', 'PENDING', 'UNKNOWN');

create table invoice_refund_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  item_count int not null check (item_count > 0),
  amount_fen bigint not null check (amount_fen > 0),
  ok_count int not null default 0 check (ok_count >= 0),
  fail_count int not null default 0 check (fail_count >= 0),
  unknown_count int not null default 0 check (unknown_count >= 0),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'APPROVED', 'RUNNING', 'DONE', 'PART_FAILED', 'VOIDED')),
  maker_id bigint not null,
  maker_name text not null,
  approver_id bigint,
  approver_name text,
  executor_id bigint,
  executor_name text,
  opinion text,
  started_at timestamptz,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (ok_count + fail_count + unknown_count <= item_count),
  check (approver_id <> maker_id),
  check (executor_id <> maker_id and executor_id <> approver_id),
  check (status in ('DRAFT', 'VOIDED') or approver_id is not null),
  check ((status in ('RUNNING', 'DONE', 'PART_FAILED')) = (executor_id is not null)),
  check ((executor_id is not null) = (started_at is not null)),
  check (status <> 'DONE' or ok_count = item_count),
  check (status <> 'PART_FAILED' or fail_count > 0 and ok_count + fail_count = item_count),
  check ((status in ('DONE', 'PART_FAILED')) = (finished_at is not null))
);
create index invoice_refund_batch_status on invoice_refund_batch (status, id);

create table invoice_refund (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  payment_id bigint not null references invoice_payment (id),
  source_type text not null check (source_type in ('AFTER_SALE', 'DUPLICATE_PAY', 'LATE_PAY', 'MANUAL')),
  -- the after-sale; of the others the order
  source_id bigint not null,
  amount_fen bigint not null check (amount_fen > 0),
  way text not null check (way in ('ORIGINAL', 'OFFLINE')),
  payee_name text,
  payee_bank text,
  payee_account_cipher text,
  payee_account_masked text,
  reason text not null,
  status text not null check (
    status in ('PENDING_AUDIT', 'APPROVED', 'REJECTED', 'IN_BATCH', 'PROCESSING', 'CHECKING', 'SUCCESS', 'FAILED', 'UNKNOWN')
  ),
  -- made by the system and small: a job sends it, no batch is needed
  by_itself boolean not null,
  -- the channel knows each attempt by a number of its own
  attempt int not null default 1 check (attempt > 0),
  batch_id bigint references invoice_refund_batch (id),
  sent_at timestamptz,
  channel_refund_no text,
  fail_reason text,
  not_found_times int not null default 0 check (not_found_times >= 0),
  unknown_since timestamptz,
  ask_due_at timestamptz,
  refunded_at timestamptz,
  -- null: the system
  maker_id bigint,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  paid_on date,
  bank_serial_no text,
  voucher_file_id bigint,
  voucher_by bigint,
  voucher_by_name text,
  voucher_checker_id bigint,
  voucher_checker_name text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check (way = 'ORIGINAL' or payee_name is not null and payee_bank is not null and payee_account_cipher is not null),
  check (not by_itself or way = 'ORIGINAL' and maker_id is null),
  check (checker_id <> maker_id),
  check (voucher_checker_id <> voucher_by and (maker_id is null or voucher_checker_id <> maker_id)),
  check (status <> 'IN_BATCH' or batch_id is not null),
  check (status not in ('PROCESSING', 'CHECKING', 'UNKNOWN') or by_itself or batch_id is not null),
  check (status <> 'CHECKING' or way = 'OFFLINE' and voucher_file_id is not null and voucher_by is not null),
  check (status <> 'UNKNOWN' or way = 'ORIGINAL' and sent_at is not null),
  check ((status = 'UNKNOWN') = (unknown_since is not null)),
  check ((status = 'SUCCESS') = (refunded_at is not null)),
  check (status <> 'SUCCESS' or way = 'ORIGINAL' or voucher_checker_id is not null),
  check (status <> 'FAILED' or fail_reason is not null)
);
create unique index invoice_refund_source on invoice_refund (source_type, source_id, payment_id) where source_type <> 'MANUAL';
create unique index invoice_refund_serial on invoice_refund (bank_serial_no) where bank_serial_no is not null and status in ('CHECKING', 'SUCCESS');
create index invoice_refund_payment on invoice_refund (payment_id, id);
create index invoice_refund_status on invoice_refund (status, id);
create index invoice_refund_standing on invoice_refund (
  (case when status in ('SUCCESS') then 1 when status in ('REJECTED') then 2 else 0 end), id desc
);
create index invoice_refund_created on invoice_refund (created_at, id);
create index invoice_refund_batch_of on invoice_refund (batch_id) where batch_id is not null;
create index invoice_refund_ask on invoice_refund (ask_due_at) where ask_due_at is not null;
create index invoice_refund_sending on invoice_refund (updated_at) where status in ('APPROVED', 'PROCESSING');

-- What a batch holds, and what became of it there; a refund that failed goes into another batch.
create table invoice_refund_batch_item (
  batch_id bigint not null references invoice_refund_batch (id),
  refund_id bigint not null references invoice_refund (id),
  amount_fen bigint not null check (amount_fen > 0),
  -- null: open
  outcome text check (outcome in ('SUCCESS', 'FAILED', 'REMOVED')),
  fail_reason text,
  primary key (batch_id, refund_id)
);
create unique index invoice_refund_batch_item_open on invoice_refund_batch_item (refund_id) where outcome is null;
