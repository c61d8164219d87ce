-- append-only: card_times_move
-- Card types with their pinned rules, batches, cards, lots and times.

create table card_type (
  id bigint generated always as identity primary key,
  type_code text not null unique,
  type_name text not null,
  kind text not null check (kind in ('BENEFIT_CARD', 'COUPON', 'STORED_VALUE')),
  biz_line text not null check (biz_line in ('HMO', 'SAAS', 'DAAS', 'OWN')),
  funder text not null check (funder in ('INSURER', 'PHARMA', 'SPONSOR', 'PLATFORM', 'CUSTOMER')),
  funder_id bigint,
  funder_name text not null default '',
  funding_mode text not null check (funding_mode in ('PREPAID', 'ON_GRANT', 'ON_USE', 'SALE')),
  product_code text,
  rules jsonb not null default '{}',
  status text not null default 'ENABLED',
  rule_version int not null default 1,
  version int not null default 1
);
create table card_type_version (
  card_type_id bigint not null references card_type (id),
  rule_version int not null,
  rules jsonb not null,
  primary key (card_type_id, rule_version)
);
create table card_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique,
  card_type_id bigint not null references card_type (id),
  quantity int not null,
  status text not null
);
create table card_card (
  id bigint generated always as identity primary key,
  card_no text not null unique,
  batch_id bigint not null references card_batch (id),
  card_type_id bigint not null references card_type (id),
  kind text not null check (kind in ('BENEFIT_CARD', 'COUPON', 'STORED_VALUE')),
  rule_version int not null,
  secret_hash text,
  state text not null check (state in ('CREATED', 'IN_STOCK', 'ISSUED', 'ACTIVE', 'FROZEN', 'DEPLETED', 'EXPIRED', 'VOIDED', 'REPLACED')),
  patient_id bigint,
  holder_name text,
  holder_id_hash text,
  contract_id bigint,
  expire_at timestamptz,
  replaced_by_card_id bigint,
  principal_avail bigint not null default 0,
  bonus_avail bigint not null default 0,
  held_amount bigint not null default 0,
  spent_amount bigint not null default 0,
  version int not null default 1
);
create table card_lot (
  lot_id bigint primary key,
  card_id bigint not null references card_card (id),
  kind text not null check (kind in ('PRINCIPAL', 'BONUS')),
  funder text not null check (funder in ('INSURER', 'PHARMA', 'SPONSOR', 'PLATFORM', 'CUSTOMER')),
  funder_id bigint,
  product_code text,
  funding_mode text not null check (funding_mode in ('PREPAID', 'ON_GRANT', 'ON_USE', 'SALE')),
  expiry_policy text not null check (expiry_policy in ('RETURN', 'BREAKAGE'))
);
create table card_times_move (
  id bigint generated always as identity primary key,
  card_id bigint not null references card_card (id),
  benefit_id text not null,
  kind text not null,
  delta_left int not null,
  delta_held int not null,
  key text not null unique,
  ref_type text not null,
  ref_id text not null,
  at timestamptz not null
);
create table card_times_balance (
  card_id bigint not null references card_card (id),
  benefit_id text not null,
  left_times int not null,
  held_times int not null,
  version int not null,
  primary key (card_id, benefit_id),
  check (left_times >= held_times and held_times >= 0)
);
