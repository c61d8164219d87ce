create table institution_chain (
  id bigint generated always as identity primary key,
  chain_no text not null unique,
  name text not null check (length(name) between 2 and 100),
  brand text not null default '',
  uscc text not null unique check (uscc ~ '^[0-9A-Z]{18}$'),
  contact_name text not null default '',
  contact_mobile_cipher text,
  -- payee account; accountNo is encrypted within
  account jsonb,
  state text not null check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);

create table institution_drugstore (
  id bigint generated always as identity primary key,
  store_no text not null unique,
  name text not null check (length(name) between 2 and 100),
  norm_name text not null,
  name_grams text[] not null,
  chain_id bigint references institution_chain (id),
  chain_store_code text,
  store_tags text[] not null default '{}',
  uscc text check (uscc ~ '^[0-9A-Z]{18}$'),
  nhsa_code text check (nhsa_code ~ '^P\d{11}$'),
  adcode text not null check (adcode ~ '^\d{6}$'),
  city_adcode text not null,
  province_adcode text not null,
  address text not null default '' check (length(address) <= 200),
  -- of licence holder and normalised address: the same shop is not entered twice
  address_hash text not null,
  lng_e6 int,
  lat_e6 int,
  locate_source text check (locate_source in ('TIP', 'MANUAL', 'IMPORT')),
  phone text not null default '',
  manager_name text not null default '',
  manager_mobile_cipher text,
  pharmacist_name text not null default '',
  pharmacist_cert_no text not null default '',
  account_of text not null default 'NONE' check (account_of in ('NONE', 'SHOP', 'CHAIN')),
  account jsonb,
  week_hours jsonb not null default '{}',
  capabilities text[] not null default '{}',
  -- tags and capabilities that an expired licence took away
  withheld text[] not null default '{}',
  delivery_radius_m int check (delivery_radius_m between 100 and 50000),
  delivery_fee_fen int check (delivery_fee_fen >= 0),
  free_over_fen int check (free_over_fen >= 0),
  state text not null check (state in ('DRAFT', 'PENDING', 'OPEN', 'SUSPENDED', 'REJECTED', 'CLOSED')),
  suspend_reason text,
  next_expire_on date,
  last_visited_on date,
  open_order_count int not null default 0 check (open_order_count >= 0),
  maker_id bigint,
  import_batch_no text,
  row_hash text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (chain_id, chain_store_code),
  check ((lng_e6 is null) = (lat_e6 is null)),
  check (not (store_tags @> array['CHAIN', 'SINGLE'])),
  check (not ('CHAIN' = any (store_tags)) or chain_id is not null),
  check (state <> 'OPEN' or lng_e6 is not null),
  check ((account_of = 'SHOP') = (account is not null))
);
create unique index institution_drugstore_place on institution_drugstore (uscc, address_hash) where uscc is not null and state <> 'CLOSED';
create unique index institution_drugstore_nhsa on institution_drugstore (nhsa_code) where nhsa_code is not null and state <> 'CLOSED';
create index institution_drugstore_city on institution_drugstore (city_adcode, state);
create index institution_drugstore_region on institution_drugstore (adcode text_pattern_ops);
create index institution_drugstore_chain on institution_drugstore (chain_id);
create index institution_drugstore_expire on institution_drugstore (next_expire_on);
create index institution_drugstore_tags on institution_drugstore using gin (store_tags);
create index institution_drugstore_grams on institution_drugstore using gin (name_grams);
create index institution_drugstore_search on institution_drugstore using gin (name gin_trgm_ops);
create index institution_drugstore_place_near on institution_drugstore (lat_e6, lng_e6);

create table institution_store_change (
  id bigint generated always as identity primary key,
  change_no text not null unique,
  owner_type text not null check (owner_type in ('DRUGSTORE', 'CHAIN')),
  owner_id bigint not null,
  owner_name text not null,
  -- only the changed fields; account numbers encrypted
  before jsonb not null,
  after jsonb not null,
  file_ids bigint[] not null default '{}',
  reason text not null default '',
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  state text not null check (state in ('PENDING', 'APPROVED', 'REJECTED', 'CANCELLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  check (checker_id is null or checker_id <> maker_id)
);
create unique index institution_store_change_open on institution_store_change (owner_type, owner_id) where state = 'PENDING';

create table institution_store_holiday (
  store_id bigint not null references institution_drugstore (id) on delete cascade,
  day date not null,
  -- minutes of the day; empty = closed
  spans jsonb not null,
  note text not null default '',
  updated_at timestamptz not null,
  updated_by bigint,
  primary key (store_id, day)
);

create table institution_licence (
  id bigint generated always as identity primary key,
  owner_type text not null check (owner_type in ('DRUGSTORE', 'HOSPITAL', 'CHAIN')),
  owner_id bigint not null,
  licence_type text not null check (licence_type in ('BUSINESS', 'DRUG', 'DEVICE', 'FOOD', 'NHSA', 'PHARMACIST', 'DUAL', 'MEDICAL')),
  licence_no text not null,
  holder text not null,
  valid_from date not null,
  -- null = without end
  valid_to date,
  file_ids bigint[] not null default '{}',
  state text not null check (state in ('VALID', 'EXPIRED', 'REPLACED')),
  reminded_days int[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (valid_to is null or valid_to >= valid_from)
);
create unique index institution_licence_valid on institution_licence (owner_type, owner_id, licence_type) where state = 'VALID';
create index institution_licence_end on institution_licence (valid_to) where state = 'VALID';
create index institution_licence_owner on institution_licence (owner_type, owner_id);

-- copy of pharma's goods, written by its event
create table institution_goods_copy (
  goods_code text primary key,
  medicine_id text not null,
  goods_name text not null,
  spec text not null,
  state text not null,
  updated_at timestamptz not null
);

create table institution_store_goods (
  id bigint generated always as identity primary key,
  store_id bigint not null references institution_drugstore (id) on delete cascade,
  goods_code text not null,
  effective_from date not null,
  medicine_id text not null,
  goods_name text not null,
  spec text not null,
  price_fen bigint not null check (price_fen > 0),
  in_stock boolean not null,
  stock_at timestamptz not null,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  unique (store_id, goods_code, effective_from)
);
create index institution_store_goods_code on institution_store_goods (goods_code);
