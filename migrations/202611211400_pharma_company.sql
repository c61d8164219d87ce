-- Companies, their product lines and the read-only copies that events feed.
create extension if not exists btree_gist;

create table pharma_company (
  id bigint generated always as identity primary key,
  company_no text not null unique,
  name text not null check (char_length(name) between 1 and 100),
  norm_name text not null unique,
  short_name text not null check (char_length(short_name) between 1 and 20),
  name_pinyin text not null,
  roles text[] not null check (cardinality(roles) >= 1 and roles <@ array['MAH', 'MAKER', 'IMPORTER', 'DISTRIBUTOR']),
  uscc text unique check (uscc ~ '^[0-9A-Z]{18}$'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  logo_file_id bigint,
  contact_name text,
  contact_mobile_cipher text,
  contact_mobile_masked text,
  contact_email text,
  address text,
  pv_name text,
  pv_email text,
  pv_phone text,
  licence_file_ids bigint[] not null default '{}',
  licence_valid_to date,
  state text not null check (state in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (country <> 'CN' or uscc is not null)
);
create index pharma_company_state on pharma_company (state, id);
create index pharma_company_pinyin on pharma_company (name_pinyin);
create index pharma_company_search on pharma_company using gin ((name || ' ' || short_name || ' ' || name_pinyin) gin_trgm_ops);

create table pharma_product_line (
  id bigint generated always as identity primary key,
  line_no text not null unique,
  company_id bigint not null references pharma_company (id),
  name text not null check (char_length(name) between 1 and 50),
  therapy_area text not null,
  disease_ids bigint[] not null default '{}',
  start_date date not null,
  end_date date not null,
  owner_user_id bigint,
  agreement_file_ids bigint[] not null default '{}',
  remark text,
  state text not null check (state in ('DRAFT', 'ACTIVE', 'EXPIRED', 'STOPPED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (company_id, name),
  check (end_date >= start_date)
);
create index pharma_product_line_company on pharma_product_line (company_id, state);
create index pharma_product_line_end on pharma_product_line (end_date);
create index pharma_product_line_owner on pharma_product_line (owner_user_id);

-- Copies, written by consumers alone; `seq` is the newest event seen.
create table pharma_disease_copy (
  disease_id bigint primary key,
  disease_code text not null,
  disease_name text not null,
  available boolean not null,
  seq bigint not null
);

create table pharma_promotion_tag (
  tag_id bigint primary key,
  name text not null,
  colour text,
  valid_from date,
  valid_to date,
  state text not null,
  seq bigint not null
);

create table pharma_doctor_copy (
  doctor_id bigint primary key,
  name text not null,
  hospital_name text not null,
  title_code text,
  qual_state text,
  seq bigint not null
);

create table pharma_staff_copy (
  user_id bigint primary key,
  display_name text not null,
  state text not null,
  seq bigint not null
);
