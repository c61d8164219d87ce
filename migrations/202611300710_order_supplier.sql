-- Suppliers that fulfil orders: what they are allowed, where they deliver, what they sell, when they take no orders.

create table order_supplier (
  id bigint generated always as identity primary key,
  supplier_code text not null unique check (supplier_code ~ '^[A-Z0-9][A-Z0-9_-]{1,19}$'),
  supplier_name text not null check (char_length(supplier_name) between 2 and 60),
  supplier_type text not null check (supplier_type in ('B2C', 'DTP', 'CHAIN', 'WAREHOUSE')),
  drugstore_id bigint,
  cold_chain_capable boolean not null,
  contact_name text not null,
  contact_mobile_cipher text not null,
  contact_mobile_masked text not null,
  license_no text not null,
  license_expire_at date not null,
  license_file_ids bigint[] not null default '{}',
  gsp_expire_at date,
  -- the day on which the first of its licences ends
  expire_on date not null generated always as (least(license_expire_at, gsp_expire_at)) stored,
  integration text not null check (integration in ('API', 'PORTAL', 'EXCEL')),
  endpoint text not null default '',
  app_key text not null default '',
  -- written, never answered
  secret_cipher text,
  daily_capacity int check (daily_capacity > 0),
  cutoff_time text check (cutoff_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  accept_sla_min int not null check (accept_sla_min > 0),
  ship_sla_hour int not null check (ship_sla_hour > 0),
  freight_first_fen bigint not null check (freight_first_fen >= 0),
  freight_step_fen bigint not null check (freight_step_fen >= 0),
  -- null: never free
  free_ship_fen bigint check (free_ship_fen > 0),
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'ENABLED', 'PAUSED', 'DISABLED')),
  submitted_by bigint,
  editor_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (drugstore_id is null or supplier_type in ('DTP', 'CHAIN')),
  check (integration <> 'API' or endpoint <> '' and app_key <> '')
);

create table order_supplier_region (
  supplier_id bigint not null references order_supplier (id),
  adcode text not null check (adcode ~ '^[0-9]{6}$'),
  -- not delivered to, though what it lies in is
  excluded boolean not null,
  primary key (supplier_id, adcode)
);

create table order_supplier_goods (
  id bigint generated always as identity primary key,
  supplier_id bigint not null references order_supplier (id),
  medicine_id bigint not null,
  goods_code text not null,
  goods_name text not null,
  supply_price_fen bigint not null check (supply_price_fen > 0),
  stock_qty int not null,
  reserved_qty int not null default 0,
  weight_gram int check (weight_gram > 0),
  on_sale boolean not null,
  stock_synced_at timestamptz not null,
  editor_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  constraint order_supplier_goods_medicine unique (supplier_id, medicine_id),
  check (reserved_qty >= 0 and reserved_qty <= stock_qty)
);

create table order_supplier_pause (
  id bigint generated always as identity primary key,
  supplier_id bigint not null references order_supplier (id),
  from_at timestamptz not null,
  to_at timestamptz not null,
  reason text not null check (char_length(reason) between 2 and 100),
  creator_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  check (to_at > from_at),
  constraint order_supplier_pause_once exclude using gist (supplier_id with =, tstzrange(from_at, to_at) with &&)
);
