-- What is sold and how it pays: insurers, products with their versions, drug lists, links, entitlement definitions, reasons and test cases.
create extension if not exists btree_gist;

create table insurance_insurer (
  id bigint generated always as identity primary key,
  insurer_code text not null unique check (insurer_code ~ '^[A-Z0-9]{2,12}$'),
  insurer_name text not null check (char_length(insurer_name) between 1 and 60),
  short_name text not null check (char_length(short_name) between 1 and 20),
  name_pinyin text not null,
  insurer_type text not null check (insurer_type in ('PROPERTY', 'LIFE', 'HEALTH', 'PENSION')),
  uscc text not null unique check (uscc ~ '^[0-9A-Z]{18}$'),
  licence_no text not null default '' check (char_length(licence_no) <= 40),
  -- [{name, mobileCipher, mobileMasked, role}]
  contacts jsonb not null default '[]',
  audit_mode text not null check (audit_mode in ('PLATFORM', 'PLATFORM_THEN_INSURER')),
  second_review_fen bigint check (second_review_fen >= 0),
  -- columns of the insurer's drug claim list in their order; empty: all
  list_layout text[] not null default '{}',
  fund_mode text not null check (fund_mode in ('ADVANCE', 'PREPAID', 'INSURER_PAYS')),
  invoice_variant text not null check (invoice_variant in ('STANDARD', 'ZA')),
  status text not null check (status in ('ENABLED', 'DISABLED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((audit_mode = 'PLATFORM_THEN_INSURER') = (second_review_fen is not null))
);
create index insurance_insurer_status on insurance_insurer (status, id desc);
create index insurance_insurer_name on insurance_insurer using gin (insurer_name gin_trgm_ops);

create table insurance_product (
  id bigint generated always as identity primary key,
  product_code text not null unique check (product_code ~ '^[A-Z0-9_-]{4,32}$'),
  product_name text not null check (char_length(product_name) between 1 and 60),
  short_name text not null check (char_length(short_name) between 1 and 20),
  product_line text not null check (product_line in ('STANDARD', 'SAAS', 'RSB', 'HMO', 'DAAS')),
  product_type text not null check (product_type in
    ('SPECIAL_DRUG', 'CITY_INCLUSIVE', 'MILLION_RIDER', 'CHRONIC', 'CORPORATE_HMO', 'EMPLOYEE_DRUG', 'EFFICACY')),
  insurer_id bigint references insurance_insurer (id),
  sponsor_name text check (char_length(sponsor_name) between 1 and 60),
  pharma_company_id bigint,
  -- empty: sold in the whole country
  adcodes text[] not null default '{}',
  owner_user_id bigint,
  status text not null check (status in ('DRAFT', 'ON_SALE', 'SUSPENDED', 'RETIRED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  -- who pays is written down, by line
  check (product_line not in ('STANDARD', 'SAAS') or insurer_id is not null),
  check (product_line <> 'RSB' or pharma_company_id is not null),
  check (product_line not in ('HMO', 'DAAS') or sponsor_name is not null or insurer_id is not null)
);
create index insurance_product_insurer on insurance_product (insurer_id, status);
create index insurance_product_line on insurance_product (product_line, status);
create index insurance_product_type on insurance_product (product_type);
create index insurance_product_name on insurance_product using gin (product_name gin_trgm_ops);

create table insurance_product_version (
  id bigint generated always as identity primary key,
  product_id bigint not null references insurance_product (id),
  version_no int not null check (version_no >= 1),
  effective_from date not null,
  effective_to date,
  clause_file_id bigint,
  clause_sha256 text check (clause_sha256 ~ '^[0-9a-f]{64}$'),
  filing_no text not null default '' check (char_length(filing_no) <= 60),
  -- [{claimType, label, materials, slaWorkdays}]
  claim_types jsonb not null default '[]',
  claim_window_days int not null default 180 check (claim_window_days between 1 and 3650),
  regions_allowed text[] not null default '{}',
  hospital_scope text not null default 'ANY' check (hospital_scope in ('ANY', 'GRADE2', 'PUBLIC_GRADE2', 'LIST')),
  hospital_ids bigint[] not null default '{}',
  drugstore_ids bigint[] not null default '{}',
  enrol_config jsonb not null,
  gap_note text not null default '' check (char_length(gap_note) <= 200),
  change_note text not null default '' check (char_length(change_note) <= 200),
  state text not null check (state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'PUBLISHED', 'WITHDRAWN')),
  maker_id bigint,
  checker_id bigint,
  submitted_at timestamptz,
  published_at timestamptz,
  content_hash text,
  -- whose end this publication has set; opened again when it is withdrawn
  closed_predecessor_id bigint references insurance_product_version (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (product_id, version_no),
  check (effective_to >= effective_from),
  check ((clause_file_id is null) = (clause_sha256 is null)),
  check (state <> 'PUBLISHED' or (maker_id is not null and checker_id is not null and maker_id <> checker_id
    and published_at is not null and content_hash is not null)),
  constraint insurance_product_version_overlap
    exclude using gist (product_id with =, daterange(effective_from, effective_to, '[]') with &&) where (state = 'PUBLISHED')
);
create unique index insurance_product_version_open on insurance_product_version (product_id) where state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED');
create index insurance_product_version_state on insurance_product_version (state, effective_from);

create table insurance_limit_group (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id) on delete cascade,
  group_code text not null check (group_code ~ '^[A-Z0-9_]{1,24}$'),
  group_name text not null check (char_length(group_name) between 1 and 40),
  kind text not null check (kind in ('DEDUCTIBLE', 'CEILING')),
  period text not null check (period in ('CLAIM', 'YEAR', 'LIFE')),
  subject text not null check (subject in ('PERSON', 'FAMILY')),
  amount_fen bigint not null check (amount_fen >= 0),
  other_pay_offsets boolean not null default false,
  unique (product_version_id, group_code),
  check (kind = 'DEDUCTIBLE' or not other_pay_offsets)
);

create table insurance_plan (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id) on delete cascade,
  plan_code text not null check (plan_code ~ '^[A-Z0-9_]{1,24}$'),
  plan_name text not null check (char_length(plan_name) between 1 and 40),
  sum_insured_fen bigint not null check (sum_insured_fen > 0),
  age_min int not null check (age_min between 0 and 120),
  age_max int not null check (age_max between 0 and 120),
  social_required text not null check (social_required in ('ANY', 'YES', 'NO')),
  overrides jsonb not null default '{}',
  sort int not null,
  unique (product_version_id, plan_code),
  check (age_max >= age_min)
);

create table insurance_plan_rate (
  id bigint generated always as identity primary key,
  plan_id bigint not null references insurance_plan (id) on delete cascade,
  gender text not null check (gender in ('ANY', 'M', 'F')),
  social text not null check (social in ('ANY', 'YES', 'NO')),
  age_from int not null check (age_from between 0 and 120),
  age_to int not null check (age_to between 0 and 120),
  annual_premium_fen bigint not null check (annual_premium_fen >= 0),
  unique (plan_id, gender, social, age_from),
  check (age_to >= age_from)
);

create table insurance_version_pin (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id),
  ref_type text not null check (char_length(ref_type) between 1 and 40),
  ref_id text not null check (char_length(ref_id) between 1 and 64),
  ends_on date,
  created_at timestamptz not null,
  unique (product_version_id, ref_type, ref_id)
);
create index insurance_version_pin_ref on insurance_version_pin (ref_type, ref_id);

create table insurance_formulary (
  id bigint generated always as identity primary key,
  formulary_code text not null unique check (formulary_code ~ '^[A-Z0-9_-]{2,32}$'),
  name text not null check (char_length(name) between 1 and 60),
  insurer_id bigint references insurance_insurer (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index insurance_formulary_insurer on insurance_formulary (insurer_id);

create table insurance_formulary_version (
  id bigint generated always as identity primary key,
  formulary_id bigint not null references insurance_formulary (id),
  version_no int not null check (version_no >= 1),
  effective_from date not null,
  effective_to date,
  gap_note text not null default '' check (char_length(gap_note) <= 200),
  change_note text not null default '' check (char_length(change_note) <= 200),
  state text not null check (state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'PUBLISHED', 'WITHDRAWN')),
  maker_id bigint,
  checker_id bigint,
  submitted_at timestamptz,
  published_at timestamptz,
  content_hash text,
  closed_predecessor_id bigint references insurance_formulary_version (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (formulary_id, version_no),
  check (effective_to >= effective_from),
  check (state <> 'PUBLISHED' or (maker_id is not null and checker_id is not null and maker_id <> checker_id
    and published_at is not null and content_hash is not null)),
  constraint insurance_formulary_version_overlap
    exclude using gist (formulary_id with =, daterange(effective_from, effective_to, '[]') with &&) where (state = 'PUBLISHED')
);
create unique index insurance_formulary_version_open on insurance_formulary_version (formulary_id)
  where state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED');

create table insurance_formulary_line (
  id bigint generated always as identity primary key,
  formulary_version_id bigint not null references insurance_formulary_version (id) on delete cascade,
  -- of pharma's catalogue, with what it was called when the line was written
  medicine_id bigint not null,
  medicine_no text not null,
  generic_name text not null,
  brand_name text not null default '',
  spec text not null default '',
  manufacturer text not null default '',
  indication_code text not null check (indication_code ~ '^[A-Z0-9_.-]{1,32}$'),
  indication_text text not null check (char_length(indication_text) between 1 and 200),
  icd10_prefixes text[] not null default '{}',
  line_of_therapy text not null default '' check (char_length(line_of_therapy) <= 40),
  gene_requirement text not null default '' check (char_length(gene_requirement) <= 80),
  social_category text not null check (social_category in ('INSIDE', 'OUTSIDE', 'NEGOTIATED')),
  max_unit_price_fen bigint check (max_unit_price_fen > 0),
  -- [{chainId, priceFen, from, to}]
  agreement_prices jsonb not null default '[]',
  max_qty_per_claim_milli bigint check (max_qty_per_claim_milli > 0),
  max_qty_per_days_milli bigint check (max_qty_per_days_milli > 0),
  max_qty_days int check (max_qty_days between 1 and 366),
  min_interval_days int check (min_interval_days between 1 and 366),
  daily_dose_milli bigint check (daily_dose_milli > 0),
  charity_pay_months int check (charity_pay_months between 1 and 60),
  charity_free_months int check (charity_free_months between 1 and 60),
  direct_pay boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (formulary_version_id, medicine_id, indication_code),
  check ((max_qty_per_days_milli is null) = (max_qty_days is null)),
  check ((charity_pay_months is null) = (charity_free_months is null))
);
create index insurance_formulary_line_medicine on insurance_formulary_line (medicine_id);

create table insurance_benefit (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id) on delete cascade,
  benefit_code text not null check (benefit_code ~ '^[A-Z0-9_]{1,24}$'),
  benefit_name text not null check (char_length(benefit_name) between 1 and 40),
  claim_types text[] not null,
  priority int not null check (priority between 1 and 999),
  formulary_id bigint references insurance_formulary (id),
  formulary_mode text not null check (formulary_mode in ('PINNED', 'BY_SERVICE_DATE')),
  formulary_version_id bigint references insurance_formulary_version (id),
  -- medicines of the list that it pays for; empty: all
  drug_scope bigint[] not null default '{}',
  disease_prefixes text[] not null default '{}',
  waiting_days int not null check (waiting_days between 0 and 365),
  waiting_effect text not null check (waiting_effect in ('PERIOD', 'DISEASE')),
  pre_existing_mode text not null check (pre_existing_mode in ('COVER', 'EXCLUDE')),
  social_mode text not null check (social_mode in ('DEDUCT', 'REQUIRED', 'IGNORE')),
  deductible_group text,
  ceiling_groups text[] not null default '{}',
  per_line_fen bigint check (per_line_fen > 0),
  per_item_year_fen bigint check (per_item_year_fen > 0),
  per_claim_fen bigint check (per_claim_fen > 0),
  per_year_fen bigint check (per_year_fen > 0),
  lifetime_fen bigint check (lifetime_fen > 0),
  times_per_year int check (times_per_year > 0),
  unique (product_version_id, benefit_code)
);
create index insurance_benefit_formulary on insurance_benefit (formulary_id);
create index insurance_benefit_formulary_version on insurance_benefit (formulary_version_id);

create table insurance_benefit_tier (
  id bigint generated always as identity primary key,
  benefit_id bigint not null references insurance_benefit (id) on delete cascade,
  social text not null check (social in ('SETTLED', 'NOT_SETTLED', 'OUTSIDE', 'ANY')),
  pre_existing text not null check (pre_existing in ('Y', 'N', 'ANY')),
  month_from int not null check (month_from between 0 and 999),
  month_to int not null check (month_to between 0 and 999),
  from_fen bigint not null check (from_fen >= 0),
  to_fen bigint,
  rate_bp int not null check (rate_bp between 0 and 10000),
  unique (benefit_id, social, pre_existing, month_from, from_fen),
  check (month_to >= month_from),
  check (to_fen > from_fen)
);

create table insurance_right (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id) on delete cascade,
  right_code text not null check (right_code ~ '^[A-Z0-9_]{1,24}$'),
  right_name text not null check (char_length(right_name) between 1 and 40),
  kind text not null check (kind in ('PREAUTH', 'CASH', 'SERVICE')),
  entitlement_def_id bigint,
  amount_fen bigint check (amount_fen > 0),
  times_per_year int check (times_per_year > 0),
  required_materials text[] not null default '{}',
  occurrence_key text not null check (occurrence_key in ('PER_DRUG', 'PER_VISIT', 'ONCE')),
  drug_ids bigint[] not null default '{}',
  unique (product_version_id, right_code)
);
create index insurance_right_entitlement on insurance_right (entitlement_def_id) where entitlement_def_id is not null;

create table insurance_claim_rule (
  id bigint generated always as identity primary key,
  product_version_id bigint not null references insurance_product_version (id) on delete cascade,
  rule_code text not null check (rule_code ~ '^[A-Z0-9_]{1,24}$'),
  rule_name text not null check (char_length(rule_name) between 1 and 40),
  rule_type text not null check (rule_type in ('ELIGIBILITY', 'MATERIAL', 'MEDICAL', 'AMOUNT')),
  benefit_codes text[] not null default '{}',
  claim_types text[] not null default '{}',
  expression jsonb not null,
  outcome text not null check (outcome in ('REJECT_LINE', 'REJECT_CLAIM', 'REQUIRE_MATERIAL', 'HOLD', 'WARN')),
  material_types text[] not null default '{}',
  reason_code text,
  applicant_text text not null default '' check (char_length(applicant_text) <= 200),
  internal_note text not null default '' check (char_length(internal_note) <= 200),
  priority int not null check (priority between 1 and 999),
  enabled boolean not null default true,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (product_version_id, rule_code),
  check ((outcome = 'REQUIRE_MATERIAL') = (cardinality(material_types) > 0))
);

create table insurance_product_link (
  id bigint generated always as identity primary key,
  main_product_id bigint not null references insurance_product (id),
  other_product_id bigint not null references insurance_product (id),
  link_type text not null check (link_type in ('APPENDED', 'RENEWAL_OF', 'UPGRADE_OF', 'EXCLUSIVE', 'BUNDLE', 'SUBSTITUTE')),
  attach_mode text check (attach_mode in ('MUST', 'OPTIONAL')),
  -- [{mainGroup, otherGroup}]
  share_groups jsonb not null default '[]',
  overflow boolean not null default false,
  waive_waiting boolean not null default false,
  max_gap_days int check (max_gap_days between 0 and 365),
  pay_order int check (pay_order between 1 and 99),
  effective_from date not null,
  effective_to date,
  status text not null check (status in ('ENABLED', 'REMOVED')),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (main_product_id <> other_product_id),
  check (effective_to >= effective_from),
  check ((link_type = 'APPENDED') = (attach_mode is not null)),
  check (link_type = 'APPENDED' or not overflow)
);
create unique index insurance_product_link_once on insurance_product_link (main_product_id, other_product_id, link_type, effective_from)
  where status = 'ENABLED';
create index insurance_product_link_other on insurance_product_link (other_product_id);

create table insurance_entitlement_def (
  id bigint generated always as identity primary key,
  entitlement_code text not null check (entitlement_code ~ '^[A-Z0-9_-]{2,32}$'),
  version_no int not null check (version_no >= 1),
  kind text not null check (kind in ('COUPON', 'BENEFIT_CARD', 'STORED_VALUE')),
  name text not null check (char_length(name) between 1 and 40),
  coupon_rule jsonb,
  stored jsonb,
  services jsonb,
  scope jsonb not null,
  validity jsonb not null,
  stacking jsonb not null,
  transferable boolean not null default false,
  refund_rule text not null check (refund_rule in ('RESTORE', 'NONE')),
  cost_bearer text not null check (cost_bearer in ('INSURER', 'PHARMA', 'SPONSOR', 'PLATFORM')),
  per_person_limit int check (per_person_limit between 1 and 999),
  effective_from date not null,
  effective_to date,
  gap_note text not null default '' check (char_length(gap_note) <= 200),
  change_note text not null default '' check (char_length(change_note) <= 200),
  state text not null check (state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'PUBLISHED', 'WITHDRAWN')),
  maker_id bigint,
  checker_id bigint,
  submitted_at timestamptz,
  published_at timestamptz,
  content_hash text,
  closed_predecessor_id bigint references insurance_entitlement_def (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (entitlement_code, version_no),
  check (effective_to >= effective_from),
  check ((kind = 'COUPON') = (coupon_rule is not null)),
  check ((kind = 'STORED_VALUE') = (stored is not null)),
  check ((kind = 'BENEFIT_CARD') = (services is not null)),
  check (state <> 'PUBLISHED' or (maker_id is not null and checker_id is not null and maker_id <> checker_id
    and published_at is not null and content_hash is not null)),
  constraint insurance_entitlement_def_overlap
    exclude using gist (entitlement_code with =, daterange(effective_from, effective_to, '[]') with &&) where (state = 'PUBLISHED')
);
create unique index insurance_entitlement_def_open on insurance_entitlement_def (entitlement_code)
  where state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED');
alter table insurance_right
  add foreign key (entitlement_def_id) references insurance_entitlement_def (id);

create table insurance_entitlement_pin (
  id bigint generated always as identity primary key,
  entitlement_def_id bigint not null references insurance_entitlement_def (id),
  ref_type text not null check (char_length(ref_type) between 1 and 40),
  ref_id text not null check (char_length(ref_id) between 1 and 64),
  created_at timestamptz not null,
  unique (entitlement_def_id, ref_type, ref_id)
);

create table insurance_reason_text (
  id bigint generated always as identity primary key,
  reason_code text not null unique check (reason_code ~ '^[LR][0-9]{2}$'),
  label text not null check (char_length(label) between 1 and 40),
  -- with places such as {drug}, {limit}, which the step that gives the reason fills
  applicant_text text not null check (char_length(applicant_text) between 1 and 200),
  internal_text text not null default '' check (char_length(internal_text) <= 200),
  version int not null default 1,
  updated_at timestamptz not null,
  updated_by bigint
);

create table insurance_rule_test_case (
  id bigint generated always as identity primary key,
  owner_type text not null check (owner_type in ('PRODUCT_VERSION', 'CONTROL_RULE_VERSION')),
  owner_id bigint not null,
  case_name text not null check (char_length(case_name) between 1 and 60),
  input jsonb not null,
  expected jsonb not null,
  active boolean not null default true,
  last_result text not null default 'NEVER' check (last_result in ('PASS', 'FAIL', 'NEVER')),
  last_content_hash text,
  last_actual jsonb,
  last_run_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (owner_type, owner_id, case_name),
  check ((last_result = 'NEVER') = (last_content_hash is null))
);

-- What was handed in or published is never changed: neither its words nor what hangs on it.
create function insurance_product_version_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state not in ('DRAFT', 'REJECTED') then
      raise exception 'product version % is frozen', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.state in ('DRAFT', 'REJECTED') then return new; end if;
  if (new.product_id, new.version_no, new.effective_from, new.clause_sha256, new.filing_no, new.claim_types, new.claim_window_days,
      new.regions_allowed, new.hospital_scope, new.hospital_ids, new.drugstore_ids, new.enrol_config, new.gap_note)
     is distinct from
     (old.product_id, old.version_no, old.effective_from, old.clause_sha256, old.filing_no, old.claim_types, old.claim_window_days,
      old.regions_allowed, old.hospital_scope, old.hospital_ids, old.drugstore_ids, old.enrol_config, old.gap_note)
     or (old.state in ('PUBLISHED', 'WITHDRAWN') and new.content_hash is distinct from old.content_hash) then
    raise exception 'product version % is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger insurance_product_version_frozen before update or delete on insurance_product_version
  for each row execute function insurance_product_version_frozen();

create function insurance_formulary_version_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state not in ('DRAFT', 'REJECTED') then
      raise exception 'formulary version % is frozen', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.state not in ('DRAFT', 'REJECTED') and
     ((new.formulary_id, new.version_no, new.effective_from, new.gap_note) is distinct from
      (old.formulary_id, old.version_no, old.effective_from, old.gap_note)
      or (old.state in ('PUBLISHED', 'WITHDRAWN') and new.content_hash is distinct from old.content_hash)) then
    raise exception 'formulary version % is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger insurance_formulary_version_frozen before update or delete on insurance_formulary_version
  for each row execute function insurance_formulary_version_frozen();

create function insurance_entitlement_def_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state not in ('DRAFT', 'REJECTED') then
      raise exception 'entitlement definition % is frozen', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.state not in ('DRAFT', 'REJECTED') and
     ((new.entitlement_code, new.version_no, new.kind, new.name, new.coupon_rule, new.stored, new.services, new.scope, new.validity, new.stacking,
       new.transferable, new.refund_rule, new.cost_bearer, new.per_person_limit, new.effective_from, new.gap_note)
      is distinct from
      (old.entitlement_code, old.version_no, old.kind, old.name, old.coupon_rule, old.stored, old.services, old.scope, old.validity, old.stacking,
       old.transferable, old.refund_rule, old.cost_bearer, old.per_person_limit, old.effective_from, old.gap_note)
      or (old.state in ('PUBLISHED', 'WITHDRAWN') and new.content_hash is distinct from old.content_hash)) then
    raise exception 'entitlement definition % is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger insurance_entitlement_def_frozen before update or delete on insurance_entitlement_def
  for each row execute function insurance_entitlement_def_frozen();

-- Children of a version: the parent is locked, so that it cannot be handed in while somebody writes below it.
create function insurance_child_frozen() returns trigger language plpgsql as $$
declare
  parent_state text;
begin
  select v.state into parent_state from insurance_product_version v
   where v.id = case when tg_op = 'DELETE' then old.product_version_id else new.product_version_id end for share;
  -- no parent: it is being deleted itself
  if parent_state not in ('DRAFT', 'REJECTED') then
    raise exception 'row of % belongs to a frozen product version', tg_table_name using errcode = 'check_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger insurance_plan_frozen before insert or update or delete on insurance_plan for each row execute function insurance_child_frozen();
create trigger insurance_benefit_frozen before insert or update or delete on insurance_benefit for each row execute function insurance_child_frozen();
create trigger insurance_limit_group_frozen before insert or update or delete on insurance_limit_group
  for each row execute function insurance_child_frozen();
create trigger insurance_right_frozen before insert or update or delete on insurance_right for each row execute function insurance_child_frozen();
create trigger insurance_claim_rule_frozen before insert or update or delete on insurance_claim_rule
  for each row execute function insurance_child_frozen();

create function insurance_plan_rate_frozen() returns trigger language plpgsql as $$
declare
  parent_state text;
begin
  select v.state into parent_state from insurance_plan p join insurance_product_version v on v.id = p.product_version_id
   where p.id = case when tg_op = 'DELETE' then old.plan_id else new.plan_id end for share of v;
  if parent_state not in ('DRAFT', 'REJECTED') then
    raise exception 'a rate belongs to a frozen product version' using errcode = 'check_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger insurance_plan_rate_frozen before insert or update or delete on insurance_plan_rate
  for each row execute function insurance_plan_rate_frozen();

create function insurance_benefit_tier_frozen() returns trigger language plpgsql as $$
declare
  parent_state text;
begin
  select v.state into parent_state from insurance_benefit b join insurance_product_version v on v.id = b.product_version_id
   where b.id = case when tg_op = 'DELETE' then old.benefit_id else new.benefit_id end for share of v;
  if parent_state not in ('DRAFT', 'REJECTED') then
    raise exception 'a tier belongs to a frozen product version' using errcode = 'check_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger insurance_benefit_tier_frozen before insert or update or delete on insurance_benefit_tier
  for each row execute function insurance_benefit_tier_frozen();

-- Lines come by the thousand: one look per statement.
create function insurance_formulary_line_frozen() returns trigger language plpgsql as $$
begin
  if exists (select from changed_lines l join insurance_formulary_version v on v.id = l.formulary_version_id
              where v.state not in ('DRAFT', 'REJECTED')) then
    raise exception 'a line belongs to a frozen formulary version' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger insurance_formulary_line_inserted after insert on insurance_formulary_line
  referencing new table as changed_lines for each statement execute function insurance_formulary_line_frozen();
create trigger insurance_formulary_line_updated after update on insurance_formulary_line
  referencing old table as changed_lines for each statement execute function insurance_formulary_line_frozen();
create trigger insurance_formulary_line_deleted after delete on insurance_formulary_line
  referencing old table as changed_lines for each statement execute function insurance_formulary_line_frozen();
