-- Medicines with their goods, prices, reimbursement classes and audits.

create table pharma_category (
  id bigint generated always as identity primary key,
  parent_id bigint references pharma_category (id),
  code text not null unique,
  -- ids from the top to the node itself: `1.14.203`
  path text not null,
  depth int not null check (depth between 1 and 4),
  name text not null check (char_length(name) between 1 and 30),
  icon text,
  sort int not null,
  kind text not null check (kind in ('THERAPY', 'SHOP')),
  state text not null check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((parent_id is null) = (depth = 1))
);
create unique index pharma_category_name on pharma_category (kind, coalesce(parent_id, 0), name);
create index pharma_category_parent on pharma_category (parent_id, sort);
create index pharma_category_path on pharma_category (path text_pattern_ops);

create table pharma_medicine (
  id bigint generated always as identity primary key,
  medicine_no text not null unique,
  generic_name text not null check (char_length(generic_name) between 1 and 100),
  brand_name text,
  english_name text,
  generic_pinyin text not null,
  brand_pinyin text not null default '',
  medicine_kind text not null check (medicine_kind in ('CHEM', 'BIO', 'TCM', 'DEVICE', 'FSMP')),
  rx_class text check (rx_class in ('RX', 'OTC_A', 'OTC_B', 'NONE')),
  dosage_form text,
  strength text,
  approval_no text not null,
  approval_kind text not null check (approval_kind in ('DOMESTIC', 'IMPORT', 'HMT', 'REPACK', 'DEVICE')),
  approval_valid_to date,
  base_code text check (base_code ~ '^86[0-9]{12}$'),
  nhsa_code text,
  holder_id bigint references pharma_company (id),
  maker_id bigint references pharma_company (id),
  importer_id bigint references pharma_company (id),
  category_id bigint references pharma_category (id),
  atc_code text,
  indications jsonb not null default '[]',
  usage_text text,
  default_dose jsonb,
  contraindication text,
  adverse_reaction text,
  label_file_id bigint,
  image_file_ids bigint[] not null default '{}' check (cardinality(image_file_ids) <= 9),
  storage text check (storage in ('NORMAL', 'COOL', 'COLD', 'FROZEN')),
  lightproof boolean not null default false,
  cold_chain boolean generated always as (coalesce(storage in ('COLD', 'FROZEN'), false)) stored,
  control_class text not null check (control_class in ('NONE', 'NARCOTIC', 'PSYCH1', 'PSYCH2', 'TOXIC', 'RADIO', 'BANNED_ONLINE')),
  tax_code text,
  tax_rate_bp int check (tax_rate_bp between 0 and 10000),
  tax_scheme text check (tax_scheme in ('GENERAL', 'SIMPLE', 'EXEMPT')),
  rx_required boolean generated always as (coalesce(rx_class = 'RX', false)) stored,
  sort int not null default 0,
  first_on_at timestamptz,
  state text not null check (state in ('DRAFT', 'PENDING', 'OFF', 'ON', 'VOID')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (state <> 'ON' or (control_class = 'NONE' and first_on_at is not null)),
  check (state in ('DRAFT', 'VOID') or (dosage_form is not null and strength is not null and holder_id is not null and approval_valid_to is not null))
);
create unique index pharma_medicine_approval on pharma_medicine (approval_no) where state <> 'VOID';
create index pharma_medicine_generic_pinyin on pharma_medicine (generic_pinyin);
create index pharma_medicine_brand_pinyin on pharma_medicine (brand_pinyin);
create index pharma_medicine_category on pharma_medicine (category_id);
create index pharma_medicine_holder on pharma_medicine (holder_id);
create index pharma_medicine_state on pharma_medicine (state, updated_at);
create index pharma_medicine_valid on pharma_medicine (approval_valid_to) where state = 'ON';
create index pharma_medicine_search on pharma_medicine
  using gin ((generic_name || ' ' || coalesce(brand_name, '') || ' ' || generic_pinyin || ' ' || brand_pinyin || ' ' || approval_no || ' ' || medicine_no) gin_trgm_ops);

create table pharma_product_line_medicine (
  id bigint generated always as identity primary key,
  line_id bigint not null references pharma_product_line (id),
  medicine_id bigint not null references pharma_medicine (id),
  start_date date not null,
  end_date date,
  created_at timestamptz not null,
  created_by bigint,
  unique (line_id, medicine_id),
  check (end_date is null or end_date >= start_date),
  -- a medicine is in one line of one company at a time
  constraint pharma_medicine_in_one_line exclude using gist (medicine_id with =, daterange(start_date, end_date, '[]') with &&)
);

create table pharma_medicine_tag (
  medicine_id bigint not null,
  tag_id bigint not null,
  seq bigint not null,
  primary key (medicine_id, tag_id)
);
create index pharma_medicine_tag_tag on pharma_medicine_tag (tag_id);

create table pharma_sku (
  id bigint generated always as identity primary key,
  goods_code text not null unique check (goods_code ~ '^G[0-9]{8}$'),
  barcode text unique check (barcode ~ '^[0-9]{13}$'),
  medicine_id bigint not null references pharma_medicine (id),
  pack_spec text not null check (char_length(pack_spec) between 1 and 40),
  pack_units int not null check (pack_units >= 1),
  unit text not null,
  min_qty int not null default 1 check (min_qty >= 1),
  max_qty_per_order int not null check (max_qty_per_order between 1 and 99),
  weight_g int,
  length_mm int,
  width_mm int,
  height_mm int,
  traceable boolean not null,
  saleable boolean not null,
  state text not null check (state in ('ON', 'OFF')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (medicine_id, pack_spec),
  check (min_qty <= max_qty_per_order)
);

create table pharma_medicine_apply (
  id bigint generated always as identity primary key,
  apply_no text not null unique,
  apply_type text not null check (apply_type in ('CREATE', 'MODIFY', 'ON', 'PRICE')),
  medicine_id bigint not null references pharma_medicine (id),
  payload jsonb not null,
  before jsonb not null,
  maker_id bigint,
  maker_name text,
  checker_id bigint,
  checker_name text,
  opinion text,
  decided_at timestamptz,
  state text not null check (state in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint pharma_apply_two_persons check (state not in ('APPROVED', 'REJECTED') or checker_id <> maker_id)
);
create unique index pharma_medicine_apply_open on pharma_medicine_apply (medicine_id) where state = 'PENDING';
create index pharma_medicine_apply_state on pharma_medicine_apply (state, id);
create index pharma_medicine_apply_medicine on pharma_medicine_apply (medicine_id, id);

-- A price is never changed: the next one closes it on the day before, a future one can be revoked.
create table pharma_sku_price (
  id bigint generated always as identity primary key,
  sku_id bigint not null references pharma_sku (id),
  price_type text not null check (price_type in ('MARKET', 'SUPPLY', 'REIMBURSE')),
  province_adcode text not null default '' check (province_adcode ~ '^([0-9]{2}0000)?$'),
  price_fen bigint not null check (price_fen > 0),
  effective_from date not null,
  effective_to date,
  reason text not null,
  price_apply_id bigint references pharma_medicine_apply (id),
  revoked_at timestamptz,
  revoked_by bigint,
  created_at timestamptz not null,
  created_by bigint,
  check ((price_type = 'REIMBURSE') = (province_adcode <> '')),
  check (effective_to is null or effective_to >= effective_from),
  constraint pharma_sku_price_no_overlap exclude using gist
    (sku_id with =, price_type with =, province_adcode with =, daterange(effective_from, effective_to, '[]') with &&) where (revoked_at is null)
);
create index pharma_sku_price_day on pharma_sku_price (sku_id, price_type, effective_from) where revoked_at is null;

create function pharma_sku_price_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'prices are append-only';
  end if;
  if (new.sku_id, new.price_type, new.province_adcode, new.price_fen, new.effective_from, new.reason, new.created_at)
     is distinct from (old.sku_id, old.price_type, old.province_adcode, old.price_fen, old.effective_from, old.reason, old.created_at)
     or old.revoked_at is not null then
    raise exception 'prices are append-only';
  end if;
  return new;
end $$;
create trigger pharma_sku_price_guard before update or delete on pharma_sku_price for each row execute function pharma_sku_price_guard();

create table pharma_reimburse (
  id bigint generated always as identity primary key,
  medicine_id bigint not null references pharma_medicine (id),
  province_adcode text not null check (province_adcode ~ '^[0-9]{2}0000$'),
  reimburse_class text not null check (reimburse_class in ('A', 'B', 'NEGOTIATED', 'DUAL', 'SELF')),
  self_pay_bp int not null check (self_pay_bp between 0 and 10000),
  restriction text,
  effective_from date not null,
  effective_to date,
  source_file_id bigint,
  created_at timestamptz not null,
  created_by bigint,
  check (effective_to is null or effective_to >= effective_from),
  constraint pharma_reimburse_no_overlap exclude using gist
    (medicine_id with =, province_adcode with =, daterange(effective_from, effective_to, '[]') with &&)
);
