-- append-only: order_payment
-- Orders: what a person bought, how it is paid for, which of them no rule could finish.

create table order_order (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  -- the partner's or the counter's own number
  outer_no text,
  -- which house placed it over a signed call: its own numbers are its own
  placed_by text,
  origin text not null check (origin in ('APP', 'STORE_POS', 'PARTNER', 'MANUAL')),
  biz_line text not null check (biz_line in ('STANDARD', 'SAAS', 'RSB', 'HMO', 'DAAS', 'OWN')),
  order_type text not null check (order_type in ('STORE_DIRECT', 'B2C', 'PICKUP', 'SERVICE')),
  patient_id bigint not null,
  buyer_name_cipher text not null,
  buyer_name_hash text not null,
  buyer_name_masked text not null,
  buyer_mobile_cipher text not null,
  buyer_mobile_hash text not null,
  buyer_mobile_masked text not null,
  contract_id bigint,
  -- its order of claims, while this one lives
  claim_order_id bigint,
  policy_id bigint,
  insurer_id bigint,
  product_code text,
  drugstore_id bigint,
  drugstore_name text,
  receiver_name_cipher text,
  receiver_name_masked text,
  receiver_mobile_cipher text,
  receiver_mobile_masked text,
  adcode text check (adcode ~ '^[0-9]{6}$'),
  address_cipher text,
  address_masked text,
  -- keyed hash of region and address, by which orders to one door are counted
  address_hash text,
  lng double precision check (lng between 73 and 136),
  lat double precision check (lat between 3 and 54),
  rx_file_ids bigint[] not null default '{}' check (cardinality(rx_file_ids) <= 9),
  rx_no text,
  diagnosis_cipher text,
  rx_result text not null check (rx_result in ('NONE', 'PENDING', 'PASSED', 'FAILED')),
  rx_by bigint,
  rx_by_name text,
  rx_at timestamptz,
  rx_reasons text[] not null default '{}',
  goods_fen bigint not null check (goods_fen > 0),
  freight_fen bigint not null check (freight_fen >= 0),
  discount_fen bigint not null check (discount_fen >= 0 and discount_fen <= goods_fen),
  payable_fen bigint not null generated always as (goods_fen + freight_fen - discount_fen) stored,
  coupon_fen bigint not null default 0 check (coupon_fen >= 0),
  benefit_fen bigint not null default 0 check (benefit_fen >= 0),
  card_fen bigint not null default 0 check (card_fen >= 0),
  self_pay_fen bigint not null check (self_pay_fen >= 0),
  refunded_fen bigint not null default 0,
  -- cards that the buyer chose; they are held when payment begins
  card_ids bigint[] not null default '{}' check (cardinality(card_ids) <= 5),
  -- how often payment was begun: each time its cards are held anew
  pay_round int not null default 0,
  state text not null check (state in (
    'PENDING_PAYMENT', 'PENDING_RX', 'INTERCEPTED', 'PENDING_ALLOCATION', 'FULFILLING', 'COMPLETED', 'CANCELLED', 'CLOSED'
  )),
  step_since timestamptz not null,
  -- until when somebody is to act on it
  step_due timestamptz,
  intercept_tags text[] not null default '{}',
  alloc_attempts int not null default 0 check (alloc_attempts between 0 and 3),
  suggest_no text,
  buyer_remark text not null default '' check (char_length(buyer_remark) <= 200),
  staff_remark text not null default '' check (char_length(staff_remark) <= 200),
  pay_deadline timestamptz,
  paid_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  lease_user_id bigint,
  lease_user_name text,
  lease_token text,
  lease_until timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (outer_no is null or placed_by is not null),
  check (goods_fen + freight_fen - discount_fen = coupon_fen + benefit_fen + card_fen + self_pay_fen),
  check (refunded_fen between 0 and goods_fen + freight_fen - discount_fen),
  check (order_type not in ('STORE_DIRECT', 'PICKUP') or drugstore_id is not null),
  check (order_type <> 'B2C' or num_nulls(receiver_name_cipher, receiver_mobile_cipher, adcode, address_cipher, address_hash) = 0),
  check (state <> 'PENDING_RX' or rx_result = 'PENDING'),
  check (state = 'PENDING_RX' or state = 'CANCELLED' or rx_result <> 'PENDING'),
  check (state <> 'PENDING_PAYMENT' or pay_deadline is not null),
  check (state not in ('INTERCEPTED', 'PENDING_ALLOCATION', 'FULFILLING', 'COMPLETED', 'CLOSED') or paid_at is not null),
  check ((state = 'CANCELLED') = (cancelled_at is not null))
);
create unique index order_order_claim on order_order (claim_order_id) where state not in ('CANCELLED', 'CLOSED');
create unique index order_order_outer on order_order (placed_by, outer_no);
create index order_order_status on order_order (state, created_at desc, id desc);
create index order_order_standing on order_order (
  (case when state in ('COMPLETED') then 1 when state in ('CLOSED') then 2 when state in ('CANCELLED') then 3 else 0 end), id desc
);
create index order_order_list on order_order (created_at desc, id desc);
create index order_order_patient on order_order (patient_id, created_at desc);
create index order_order_contract on order_order (contract_id) where contract_id is not null;
create index order_order_insurer on order_order (insurer_id, product_code, completed_at);
create index order_order_drugstore on order_order (drugstore_id, completed_at);
create index order_order_mobile on order_order (buyer_mobile_hash, created_at desc);
create index order_order_name on order_order (buyer_name_hash);
create index order_order_address on order_order (address_hash, created_at desc) where address_hash is not null;
create index order_order_deadline on order_order (pay_deadline) where state = 'PENDING_PAYMENT';
create index order_order_due on order_order (step_due) where step_due is not null;
create index order_order_number on order_order using gin (order_no gin_trgm_ops);

create table order_line (
  id bigint generated always as identity primary key,
  order_id bigint not null references order_order (id),
  line_no int not null check (line_no between 1 and 50),
  medicine_id bigint,
  goods_code text not null,
  goods_name text not null,
  spec text not null,
  manufacturer text,
  approval_no text,
  quantity int not null check (quantity between 1 and 999),
  unit_price_fen bigint not null check (unit_price_fen > 0),
  amount_fen bigint not null generated always as (quantity * unit_price_fen) stored,
  discount_fen bigint not null check (discount_fen >= 0),
  freight_fen bigint not null check (freight_fen >= 0),
  rx_required boolean not null,
  cold_chain boolean not null,
  days_supply int,
  tax_rate_bp int,
  tax_code text,
  tax_scheme text,
  allocated_qty int not null default 0,
  shipped_qty int not null default 0,
  -- of after-sales that are decided, still running or done
  refunded_qty int not null default 0,
  trace_codes text[] not null default '{}',
  unique (order_id, line_no),
  check (discount_fen <= quantity * unit_price_fen),
  check (allocated_qty between 0 and quantity and shipped_qty between 0 and quantity and refunded_qty between 0 and quantity),
  check (shipped_qty <= allocated_qty)
);
create index order_line_goods on order_line (goods_code, order_id);

-- One row per instrument that pays; what each pays of which line stands beside it.
create table order_funding (
  id bigint generated always as identity primary key,
  order_id bigint not null references order_order (id),
  kind text not null check (kind in ('COUPON', 'BENEFIT', 'STORED_VALUE', 'BENEFIT_CARD', 'CASH')),
  -- card, order of claims, or the number of the payment
  ref_id text not null,
  ref_name text not null,
  hold_id bigint unique,
  amount_fen bigint not null check (amount_fen >= 0),
  refunded_fen bigint not null default 0,
  state text not null check (state in ('HELD', 'CAPTURED', 'RELEASED')),
  created_at timestamptz not null,
  check (refunded_fen between 0 and amount_fen),
  check (refunded_fen = 0 or state = 'CAPTURED')
);
create unique index order_funding_live on order_funding (order_id, kind, ref_id) where state <> 'RELEASED';
create index order_funding_ref on order_funding (ref_id);

create table order_funding_line (
  funding_id bigint not null references order_funding (id),
  order_line_id bigint not null references order_line (id),
  amount_fen bigint not null check (amount_fen > 0),
  refunded_fen bigint not null default 0,
  -- of a card: what was written off for the line
  write_off_id bigint unique,
  primary key (funding_id, order_line_id),
  check (refunded_fen between 0 and amount_fen)
);
create index order_funding_line_line on order_funding_line (order_line_id);

-- Every payment that a cashier told, and what was answered: told again it is answered so again.
create table order_payment (
  payment_no text primary key,
  order_id bigint not null references order_order (id),
  channel text not null,
  amount_fen bigint not null check (amount_fen > 0),
  paid_at timestamptz not null,
  answer text not null check (answer in ('ACCEPTED', 'DUPLICATE', 'ENDED', 'AMOUNT_DIFFERS')),
  created_at timestamptz not null
);
create unique index order_payment_once on order_payment (order_id) where answer = 'ACCEPTED';

create table order_fulfilment (
  id bigint generated always as identity primary key,
  fulfilment_no text not null unique,
  order_id bigint not null references order_order (id),
  supplier_id bigint not null references order_supplier (id),
  way text not null check (way in ('SHIP', 'PICKUP')),
  state text not null check (state in (
    'WAIT_PUSH', 'WAIT_ACCEPT', 'WAIT_SHIP', 'WAIT_PICKUP', 'PART_SHIPPED', 'SHIPPED', 'SIGNED', 'REJECTED', 'CANCELLING', 'CANCELLED',
    'RETURNED'
  )),
  -- where a cancellation that the supplier refuses leads back to
  state_before_cancel text,
  push_state text not null default 'NONE' check (push_state in ('NONE', 'SENT', 'UNKNOWN', 'FAILED')),
  push_times int not null default 0,
  asked_times int not null default 0,
  ask_due_at timestamptz,
  supplier_order_no text,
  reject_reason text,
  supply_fen bigint not null check (supply_fen >= 0),
  freight_fen bigint not null check (freight_fen >= 0),
  pickup_code text check (pickup_code ~ '^[0-9]{6}$'),
  accept_deadline timestamptz,
  ship_deadline timestamptz,
  accepted_at timestamptz,
  shipped_at timestamptz,
  signed_at timestamptz,
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((state = 'CANCELLING') = (state_before_cancel is not null)),
  check (way = 'PICKUP' or pickup_code is null)
);
create index order_fulfilment_order on order_fulfilment (order_id);
create index order_fulfilment_supplier on order_fulfilment (supplier_id, state, ship_deadline);
create index order_fulfilment_list on order_fulfilment (created_at desc, id desc);
create index order_fulfilment_ask on order_fulfilment (ask_due_at) where ask_due_at is not null;

create table order_fulfilment_line (
  fulfilment_id bigint not null references order_fulfilment (id),
  order_line_id bigint not null references order_line (id),
  quantity int not null check (quantity > 0),
  supply_price_fen bigint not null check (supply_price_fen >= 0),
  shipped_qty int not null default 0,
  primary key (fulfilment_id, order_line_id),
  check (shipped_qty between 0 and quantity)
);
create index order_fulfilment_line_line on order_fulfilment_line (order_line_id);

-- Each choice of suppliers, with why the others were not chosen.
create table order_allocation_run (
  id bigint generated always as identity primary key,
  order_id bigint not null references order_order (id),
  attempt int not null,
  rule_code text,
  rule_version int,
  strategy text not null,
  trigger text not null check (trigger in ('AUTO', 'MANUAL', 'REALLOC')),
  candidates jsonb not null,
  result jsonb not null,
  succeeded boolean not null,
  operator_id bigint,
  operator_name text,
  opinion text,
  created_at timestamptz not null
);
create index order_allocation_run_order on order_allocation_run (order_id, id);

create table order_exception (
  id bigint generated always as identity primary key,
  exception_no text not null unique,
  order_id bigint not null references order_order (id),
  fulfilment_id bigint references order_fulfilment (id),
  type text not null check (type in (
    'ALLOC_FAILED', 'PUSH_FAILED', 'SUPPLIER_REJECTED', 'ACCEPT_TIMEOUT', 'SHIP_TIMEOUT', 'LOGISTICS_PROBLEM', 'CARD_FAILED',
    'AMOUNT_MISMATCH', 'REFUND_FAILED'
  )),
  detail text not null,
  state text not null default 'OPEN' check (state in ('OPEN', 'HANDLING', 'RESOLVED', 'IGNORED')),
  owner_id bigint,
  owner_name text,
  due_at timestamptz not null,
  resolution text,
  closed_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (state <> 'HANDLING' or owner_id is not null),
  check ((state in ('RESOLVED', 'IGNORED')) = (closed_at is not null))
);
create unique index order_exception_open on order_exception (order_id, type, coalesce(fulfilment_id, 0)) where state in ('OPEN', 'HANDLING');
create index order_exception_list on order_exception (state, created_at desc, id desc);

create table order_after_sale (
  id bigint generated always as identity primary key,
  after_sale_no text not null unique,
  order_id bigint not null references order_order (id),
  type text not null check (type in ('REFUND_ONLY', 'RETURN_REFUND')),
  -- a paid order that was cancelled gives everything back
  cause text not null check (cause in ('AFTER_SALE', 'CANCEL')),
  reason_code text not null check (reason_code in (
    'NOT_SHIPPED', 'QUALITY', 'WRONG_GOODS', 'DAMAGED', 'SHORT', 'RECALL', 'RETURNED'
  )),
  refund_fen bigint not null check (refund_fen >= 0),
  evidence_file_ids bigint[] not null default '{}' check (cardinality(evidence_file_ids) <= 9),
  applicant_text text not null default '' check (char_length(applicant_text) <= 500),
  internal_note text not null default '' check (char_length(internal_note) <= 500),
  return_waybill text,
  state text not null check (state in (
    'PENDING_AUDIT', 'WAIT_RETURN', 'INSPECTING', 'REFUNDING', 'REFUNDED', 'REFUSED', 'CANCELLED'
  )),
  maker_id bigint,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  decided_at timestamptz,
  done_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (checker_id <> maker_id),
  check (cause <> 'CANCEL' or type = 'REFUND_ONLY')
);
create unique index order_after_sale_cancel on order_after_sale (order_id) where cause = 'CANCEL';
create index order_after_sale_order on order_after_sale (order_id);
create index order_after_sale_list on order_after_sale (state, created_at desc, id desc);
create index order_after_sale_created on order_after_sale (created_at, id);
create index order_after_sale_standing on order_after_sale (
  (case when state in ('REFUNDED') then 1 when state in ('REFUSED', 'CANCELLED') then 2 else 0 end), id desc
);

create table order_after_sale_line (
  id bigint generated always as identity primary key,
  after_sale_id bigint not null references order_after_sale (id),
  order_line_id bigint not null references order_line (id),
  quantity int not null check (quantity > 0),
  with_freight boolean not null,
  unique (after_sale_id, order_line_id)
);
create index order_after_sale_line_line on order_after_sale_line (order_line_id);

-- What an after-sale gives back to which instrument for which line, and whether it is there.
create table order_refund_part (
  id bigint generated always as identity primary key,
  after_sale_line_id bigint not null references order_after_sale_line (id),
  funding_id bigint not null,
  order_line_id bigint not null,
  amount_fen bigint not null check (amount_fen > 0),
  state text not null default 'WAITING' check (state in ('WAITING', 'DONE', 'FAILED')),
  fail_reason text,
  done_at timestamptz,
  foreign key (funding_id, order_line_id) references order_funding_line (funding_id, order_line_id),
  unique (after_sale_line_id, funding_id)
);
create index order_refund_part_funding on order_refund_part (funding_id);

create table order_shipment (
  id bigint generated always as identity primary key,
  fulfilment_id bigint not null references order_fulfilment (id),
  carrier_code text not null check (carrier_code in ('SF', 'JD', 'ZTO', 'YTO', 'EMS', 'OWN')),
  waybill_no text not null check (waybill_no ~ '^[A-Z0-9-]{6,40}$'),
  shipped_at timestamptz not null,
  track_state text not null default 'WAIT' check (track_state in ('WAIT', 'TRANSIT', 'DELIVERING', 'SIGNED', 'PROBLEM', 'RETURNED')),
  last_node text,
  last_node_at timestamptz,
  delivering_since timestamptz,
  asked_at timestamptz,
  subscribed boolean not null default false,
  temp_record_file_id bigint,
  -- tenths of a degree Celsius
  min_temp int check (min_temp between -500 and 500),
  max_temp int check (max_temp between -500 and 500),
  source text not null check (source in ('MANUAL', 'BULK', 'CALLBACK')),
  import_batch_id bigint,
  signed_at timestamptz,
  voided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (max_temp >= min_temp)
);
create unique index order_shipment_waybill on order_shipment (carrier_code, waybill_no) where voided_at is null;
create index order_shipment_fulfilment on order_shipment (fulfilment_id);
create index order_shipment_list on order_shipment (shipped_at desc, id desc);
create index order_shipment_open on order_shipment (asked_at) where voided_at is null and signed_at is null;

create table order_shipment_line (
  shipment_id bigint not null references order_shipment (id),
  order_line_id bigint not null references order_line (id),
  batch_no text not null check (char_length(batch_no) between 1 and 40),
  quantity int not null check (quantity > 0),
  expire_date date not null,
  trace_codes text[] not null default '{}',
  primary key (shipment_id, order_line_id, batch_no)
);

create table order_track (
  id bigint generated always as identity primary key,
  shipment_id bigint not null references order_shipment (id),
  occurred_at timestamptz not null,
  state text not null,
  description text not null,
  city text not null
);
create unique index order_track_once on order_track (shipment_id, occurred_at, md5(description));
