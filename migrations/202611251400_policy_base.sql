-- append-only: policy_premium_allocation, policy_premium_order_item
-- Who is covered, by which policy, from when to when, and what premium is due.

create table policy_policy (
  id bigint generated always as identity primary key,
  policy_no text not null check (char_length(policy_no) between 1 and 40),
  -- upper case, half width, without blanks
  policy_no_norm text not null check (policy_no_norm ~ '^\S{1,40}$'),
  platform_no text not null unique check (platform_no ~ '^BD[0-9]{14}$'),
  -- the insurer's id, or S: and the sponsor's name
  insurer_key text not null,
  insurer_id bigint,
  insurer_name text not null check (char_length(insurer_name) between 1 and 60),
  product_id bigint not null,
  product_version_id bigint not null,
  product_version_no int not null,
  product_code text not null,
  product_name text not null,
  product_line text not null check (product_line in ('STANDARD', 'SAAS', 'RSB', 'HMO', 'DAAS')),
  policy_type text not null check (policy_type in ('GROUP', 'PERSONAL', 'CITY')),
  holder_type text not null check (holder_type in ('PERSON', 'ORG')),
  holder_name text not null check (char_length(holder_name) between 1 and 60),
  holder_id_no_cipher text,
  holder_id_no_masked text,
  holder_id_hash text,
  holder_contact_cipher text,
  holder_contact_masked text,
  coverage_start date not null,
  coverage_end date not null,
  -- days of the term that the annual premium stands for; an extension does not change it
  term_days int not null check (term_days between 1 and 1830),
  pay_mode text not null check (pay_mode in ('LUMP', 'YEAR', 'QUARTER', 'MONTH')),
  grace_days int not null default 30 check (grace_days between 0 and 180),
  prorate text not null check (prorate in ('DAY', 'MONTH')),
  refund_fee_bp int not null default 0 check (refund_fee_bp between 0 and 10000),
  refund_if_claimed boolean not null default true,
  declared_count int not null default 0 check (declared_count >= 0),
  renewal_of_policy_id bigint references policy_policy (id),
  adcode text check (adcode ~ '^[0-9]{6}$'),
  channel_name text not null default '' check (char_length(channel_name) <= 60),
  max_backdate_days int not null default 30 check (max_backdate_days between 0 and 366),
  endorsement_seq int not null default 0,
  insured_count int not null default 0,
  premium_fen bigint not null default 0,
  state text not null check (state in ('PENDING', 'IN_FORCE', 'SUSPENDED', 'EXPIRED', 'SURRENDERED', 'CANCELLED')),
  -- [{from, to}], to null: until it is reinstated
  suspensions jsonb not null default '[]',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (coverage_end >= coverage_start)
);
create unique index policy_policy_no on policy_policy (insurer_key, policy_no_norm);
create index policy_policy_product on policy_policy (product_id, state);
create index policy_policy_insurer on policy_policy (insurer_id, coverage_end);
create index policy_policy_state on policy_policy (state, coverage_end);
create index policy_policy_holder on policy_policy (holder_id_hash) where holder_id_hash is not null;
create index policy_policy_no_text on policy_policy using gin (policy_no gin_trgm_ops);
create index policy_policy_holder_text on policy_policy using gin (holder_name gin_trgm_ops);

create table policy_insured_template (
  id bigint generated always as identity primary key,
  insurer_key text not null,
  insurer_name text not null check (char_length(insurer_name) between 1 and 60),
  template_name text not null check (char_length(template_name) between 1 and 40),
  sheet text not null default '' check (char_length(sheet) <= 40),
  header_row int not null default 1 check (header_row between 1 and 50),
  -- [{target, headerAliases[], required, format, dict, transforms[]}]
  columns jsonb not null,
  leave_means text not null default 'LAST_COVERED' check (leave_means in ('LAST_COVERED', 'FIRST_UNCOVERED')),
  dedupe_key text not null default 'PERSON' check (dedupe_key in ('PERSON', 'EMPLOYEE')),
  removed boolean not null default false,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create unique index policy_insured_template_name on policy_insured_template (insurer_key, template_name) where not removed;

create table policy_insured_batch (
  id bigint generated always as identity primary key,
  batch_no text not null unique check (batch_no ~ '^QD[0-9]{14}$'),
  template_id bigint not null references policy_insured_template (id),
  template_version int not null,
  -- the template as it was when the file was read
  layout jsonb not null,
  mode text not null check (mode in ('INITIAL', 'ADD', 'REMOVE', 'MIXED', 'FULL')),
  policy_ids bigint[] not null default '{}',
  insurer_key text not null,
  insurer_id bigint,
  insurer_name text not null,
  file_id bigint,
  file_name text not null default '',
  file_sha256 text,
  default_effective_on date,
  total_rows int not null default 0,
  add_rows int not null default 0,
  modify_rows int not null default 0,
  remove_rows int not null default 0,
  same_rows int not null default 0,
  excluded_rows int not null default 0,
  warn_rows int not null default 0,
  error_rows int not null default 0,
  backdated_rows int not null default 0,
  parsed_rows int not null default 0,
  applied_rows int not null default 0,
  unknown_headers text[] not null default '{}',
  -- what stops the whole list (persons missing from a full one); a supervisor accepts it
  fault text,
  fault_accepted_by bigint,
  impact jsonb,
  impact_hash text,
  premium_delta_fen bigint not null default 0,
  state text not null check (state in
    ('UPLOADED', 'PARSING', 'HAS_ERROR', 'PREVIEW', 'PENDING_AUDIT', 'APPLYING', 'APPLY_FAILED', 'APPLIED', 'UNDOING', 'UNDONE', 'DISCARDED')),
  failure text,
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  applied_at timestamptz,
  undone_at timestamptz,
  undo_reason text,
  -- who asked for the whole to be undone; another person confirms within a day
  undo_asked_by bigint,
  undo_asked_at timestamptz,
  undo_token text,
  reverse_of_batch_id bigint references policy_insured_batch (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (checker_id is null or checker_id <> maker_id)
);
create index policy_insured_batch_state on policy_insured_batch (state, created_at);
create index policy_insured_batch_insurer on policy_insured_batch (insurer_id, id);
create index policy_insured_batch_file on policy_insured_batch (file_sha256) where file_sha256 is not null;
create index policy_insured_batch_policies on policy_insured_batch using gin (policy_ids);

create table policy_endorsement (
  id bigint generated always as identity primary key,
  endorsement_no text not null unique check (endorsement_no ~ '^PD[0-9]{14}$'),
  policy_id bigint not null references policy_policy (id),
  -- given when it becomes visible: contiguous per policy
  seq int,
  kind text not null check (kind in
    ('ADD', 'REMOVE', 'CORRECT', 'PLAN', 'HOLDER', 'EXTEND', 'SURRENDER', 'CANCEL', 'SUSPEND', 'REINSTATE', 'MIXED')),
  effective_on date not null,
  reason text not null default '' check (char_length(reason) <= 500),
  -- what changes, as the page shows it: sensitive values masked
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  -- what is carried out and what undoing puts back, encrypted
  payload_cipher text,
  restore_cipher text,
  premium_delta_fen bigint not null default 0,
  batch_id bigint references policy_insured_batch (id),
  insurer_endorsement_no text not null default '' check (char_length(insurer_endorsement_no) <= 40),
  file_ids bigint[] not null default '{}',
  state text not null check (state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'VISIBLE', 'UNDONE', 'DISCARDED')),
  visible_at timestamptz,
  undone_at timestamptz,
  maker_id bigint,
  maker_name text not null,
  checker_id bigint,
  undone_by bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((visible_at is not null) = (state in ('VISIBLE', 'UNDONE'))),
  check ((undone_at is not null) = (state = 'UNDONE')),
  check ((seq is not null) = (visible_at is not null)),
  check (undone_at >= visible_at),
  check (checker_id is null or maker_id is null or checker_id <> maker_id)
);
create unique index policy_endorsement_seq on policy_endorsement (policy_id, seq) where seq is not null;
create unique index policy_endorsement_pending on policy_endorsement (policy_id, kind)
  where state in ('DRAFT', 'PENDING_AUDIT') and batch_id is null;
create unique index policy_endorsement_batch on policy_endorsement (batch_id, policy_id) where batch_id is not null and state <> 'DISCARDED';
create index policy_endorsement_policy on policy_endorsement (policy_id, id);
create index policy_endorsement_state on policy_endorsement (state, id);

create table policy_insured_item (
  id bigint generated always as identity primary key,
  policy_id bigint not null references policy_policy (id),
  person_key text not null,
  name text not null check (char_length(name) between 1 and 50),
  id_type text not null check (id_type in ('ID_CARD', 'PASSPORT', 'HK_MO', 'TW', 'BIRTH', 'OTHER')),
  id_no_cipher text,
  id_no_masked text,
  id_no_hash text,
  gender text not null check (gender in ('M', 'F')),
  birth_date date not null,
  mobile_cipher text,
  mobile_masked text,
  mobile_hash text,
  employee_no text check (char_length(employee_no) between 1 and 40),
  department text check (char_length(department) between 1 and 60),
  adcode text check (adcode ~ '^[0-9]{6}$'),
  has_social boolean not null default true,
  social_adcode text check (social_adcode ~ '^[0-9]{6}$'),
  relation text not null default 'SELF' check (relation in ('SELF', 'SPOUSE', 'CHILD', 'PARENT')),
  main_insured_item_id bigint references policy_insured_item (id),
  pre_existing_icd text[] not null default '{}',
  patient_id bigint,
  real_name_state text not null default 'NONE' check (real_name_state in ('NONE', 'PASSED')),
  -- who brought the person in: nobody sees him before that endorsement is visible
  created_by_endorsement_id bigint not null references policy_endorsement (id),
  -- of the live slices on the day when they were computed; lists use them, decisions never do
  state_cache text not null default 'VOID' check (state_cache in ('PENDING', 'ACTIVE', 'SUSPENDED', 'LEFT', 'EXPIRED', 'VOID')),
  start_cache date,
  end_cache date,
  plan_cache text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (relation = 'SELF' or main_insured_item_id is not null),
  check (main_insured_item_id <> id)
);
create unique index policy_insured_item_person on policy_insured_item (policy_id, person_key);
create index policy_insured_item_id_no on policy_insured_item (id_no_hash) where id_no_hash is not null;
create index policy_insured_item_mobile on policy_insured_item (mobile_hash) where mobile_hash is not null;
create index policy_insured_item_list on policy_insured_item (policy_id, state_cache, name);
create index policy_insured_item_patient on policy_insured_item (patient_id) where patient_id is not null;
create index policy_insured_item_main on policy_insured_item (main_insured_item_id) where main_insured_item_id is not null;
create index policy_insured_item_endorsement on policy_insured_item (created_by_endorsement_id);

create table policy_cover_slice (
  id bigint generated always as identity primary key,
  insured_item_id bigint not null references policy_insured_item (id),
  policy_id bigint not null references policy_policy (id),
  plan_code text not null check (plan_code ~ '^[A-Z0-9_]{1,24}$'),
  coverage_start date not null,
  coverage_end date not null,
  annual_premium_fen bigint not null check (annual_premium_fen >= 0),
  created_by_endorsement_id bigint not null references policy_endorsement (id),
  check (coverage_end >= coverage_start)
);
-- a chunk that is written again after an interruption changes nothing
create unique index policy_cover_slice_once on policy_cover_slice (created_by_endorsement_id, insured_item_id, coverage_start);
create index policy_cover_slice_item on policy_cover_slice (insured_item_id);
create index policy_cover_slice_policy on policy_cover_slice (policy_id);

create table policy_cover_supersede (
  slice_id bigint not null references policy_cover_slice (id),
  endorsement_id bigint not null references policy_endorsement (id),
  primary key (slice_id, endorsement_id)
);
create index policy_cover_supersede_endorsement on policy_cover_supersede (endorsement_id);

-- What an endorsement did is never changed once anybody could see it.
create function policy_cover_slice_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'a cover slice is never changed' using errcode = 'check_violation';
  end if;
  if exists (select from changed_rows c join policy_endorsement e on e.id = c.created_by_endorsement_id where e.visible_at is not null) then
    raise exception 'the endorsement of a cover slice is visible' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger policy_cover_slice_inserted after insert on policy_cover_slice
  referencing new table as changed_rows for each statement execute function policy_cover_slice_frozen();
create trigger policy_cover_slice_deleted after delete on policy_cover_slice
  referencing old table as changed_rows for each statement execute function policy_cover_slice_frozen();
create trigger policy_cover_slice_updated after update on policy_cover_slice
  referencing old table as changed_rows for each statement execute function policy_cover_slice_frozen();

create function policy_cover_supersede_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    raise exception 'what replaces a cover slice is never changed' using errcode = 'check_violation';
  end if;
  if exists (select from changed_rows c join policy_endorsement e on e.id = c.endorsement_id where e.visible_at is not null) then
    raise exception 'the endorsement that replaces a cover slice is visible' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger policy_cover_supersede_inserted after insert on policy_cover_supersede
  referencing new table as changed_rows for each statement execute function policy_cover_supersede_frozen();
create trigger policy_cover_supersede_deleted after delete on policy_cover_supersede
  referencing old table as changed_rows for each statement execute function policy_cover_supersede_frozen();
create trigger policy_cover_supersede_updated after update on policy_cover_supersede
  referencing old table as changed_rows for each statement execute function policy_cover_supersede_frozen();

-- Times are set once: an endorsement takes effect, and is taken back, by one timestamp each.
create function policy_endorsement_once() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.visible_at is not null then
      raise exception 'a visible endorsement is never deleted' using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.visible_at is not null and (new.visible_at, new.seq, new.policy_id, new.kind, new.effective_on, new.premium_delta_fen)
     is distinct from (old.visible_at, old.seq, old.policy_id, old.kind, old.effective_on, old.premium_delta_fen) then
    raise exception 'a visible endorsement is never changed' using errcode = 'check_violation';
  end if;
  if old.undone_at is not null and new.undone_at is distinct from old.undone_at then
    raise exception 'an endorsement is taken back once' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger policy_endorsement_once before update or delete on policy_endorsement
  for each row execute function policy_endorsement_once();

-- Live slices of a person never overlap. What is live changes only with these two timestamps, under the lock of the policy, so the state
-- at each of them is the state at every moment; it is looked at when the transaction commits, for the persons whom it touched.
create function policy_live_apart() returns trigger language plpgsql as $$
declare
  person bigint;
begin
  select o.insured_item_id into person
    from (
      select s.insured_item_id, s.coverage_start,
             lag(s.coverage_end) over (partition by s.insured_item_id order by s.coverage_start, s.id) as before_end
        from policy_cover_slice s
        join policy_endorsement e on e.id = s.created_by_endorsement_id and e.visible_at is not null and e.undone_at is null
       where s.insured_item_id in (
               select t.insured_item_id from policy_cover_slice t where t.created_by_endorsement_id = new.id
               union
               select t.insured_item_id from policy_cover_supersede u join policy_cover_slice t on t.id = u.slice_id
                where u.endorsement_id = new.id)
         and not exists (
               select from policy_cover_supersede u join policy_endorsement x on x.id = u.endorsement_id
                where u.slice_id = s.id and x.visible_at is not null and x.undone_at is null)
    ) o
   where o.before_end >= o.coverage_start
   limit 1;
  if person is not null then
    raise exception 'live cover slices of insured item % overlap', person
      using errcode = 'exclusion_violation', constraint = 'policy_cover_slice_live_apart';
  end if;
  return null;
end $$;
create constraint trigger policy_endorsement_live_apart after update of visible_at, undone_at on policy_endorsement
  deferrable initially deferred for each row
  when (new.visible_at is distinct from old.visible_at or new.undone_at is distinct from old.undone_at)
  execute function policy_live_apart();
create constraint trigger policy_endorsement_born_apart after insert on policy_endorsement
  deferrable initially deferred for each row when (new.visible_at is not null) execute function policy_live_apart();

create table policy_insured_batch_row (
  id bigint generated always as identity primary key,
  batch_id bigint not null references policy_insured_batch (id),
  -- row of the original sheet; blank rows are counted
  row_no int not null check (row_no >= 1),
  raw_cipher text not null,
  -- what was understood of it, encrypted; the plain columns are what checks compare
  facts_cipher text,
  -- facts of the person before the row changed them, for undoing
  before_cipher text,
  op text check (op in ('ADD', 'REMOVE', 'MODIFY')),
  policy_id bigint references policy_policy (id),
  person_key text,
  id_no_hash text,
  name text not null default '',
  plan_code text,
  effective_on date,
  leave_on date,
  main_person_key text,
  premium_fen bigint not null default 0,
  result text not null check (result in ('ADD', 'MODIFY', 'REMOVE', 'SAME', 'ERROR', 'EXCLUDED')),
  -- [{code, column, header, value, message}]
  warnings jsonb not null default '[]',
  errors jsonb not null default '[]',
  warn_accepted boolean not null default false,
  backdated boolean not null default false,
  note text not null default '',
  insured_item_id bigint references policy_insured_item (id),
  slice_ids bigint[] not null default '{}'
);
create unique index policy_insured_batch_row_no on policy_insured_batch_row (batch_id, row_no);
create index policy_insured_batch_row_result on policy_insured_batch_row (batch_id, result, row_no);
create index policy_insured_batch_row_person on policy_insured_batch_row (batch_id, person_key);

create table policy_premium_order (
  id bigint generated always as identity primary key,
  premium_order_no text not null unique check (premium_order_no ~ '^BF[0-9]{14}$'),
  kind text not null check (kind in ('NEW', 'RENEWAL', 'INSTALMENT', 'ADJUST')),
  direction text not null check (direction in ('COLLECT', 'REFUND')),
  period_from date not null,
  period_to date not null,
  policy_id bigint not null references policy_policy (id),
  insurer_id bigint,
  product_id bigint not null,
  source_endorsement_id bigint references policy_endorsement (id),
  reverses_order_id bigint references policy_premium_order (id),
  -- instalment part_no of part_of; 1 of 1: the whole
  part_no int not null default 1 check (part_no >= 1),
  part_of int not null default 1 check (part_of >= part_no),
  amount_fen bigint not null check (amount_fen >= 0),
  stated_fen bigint check (stated_fen >= 0),
  settled_fen bigint not null default 0 check (settled_fen >= 0),
  person_count int not null default 0,
  -- items of the latest generation are the order's; a regenerated draft keeps what it said before
  generation int not null default 1,
  backdated_days int not null default 0,
  due_on date not null,
  payer_name text not null default '' check (char_length(payer_name) <= 60),
  file_ids bigint[] not null default '{}',
  insurer_invoice_no text check (char_length(insurer_invoice_no) between 1 and 40),
  state text not null check (state in
    ('DRAFT', 'PENDING_AUDIT', 'PENDING_SECOND', 'REJECTED', 'APPROVED', 'PART_SETTLED', 'SETTLED', 'REVERSED', 'VOIDED')),
  maker_id bigint,
  maker_name text not null,
  first_checker_id bigint,
  first_checker_name text,
  second_checker_id bigint,
  second_checker_name text,
  reject_reasons text[] not null default '{}',
  opinion text not null default '' check (char_length(opinion) <= 500),
  reminded_days int[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (period_to >= period_from),
  check (settled_fen <= amount_fen),
  check (first_checker_id is null or maker_id is null or first_checker_id <> maker_id),
  check (second_checker_id is null or (second_checker_id <> first_checker_id and (maker_id is null or second_checker_id <> maker_id)))
);
create unique index policy_premium_order_period on policy_premium_order (policy_id, kind, period_from, period_to)
  where kind in ('NEW', 'RENEWAL', 'INSTALMENT') and state not in ('REJECTED', 'VOIDED', 'REVERSED');
create unique index policy_premium_order_source on policy_premium_order (source_endorsement_id, direction, part_no)
  where source_endorsement_id is not null and reverses_order_id is null and state <> 'VOIDED';
create unique index policy_premium_order_reversed on policy_premium_order (reverses_order_id) where reverses_order_id is not null;
create index policy_premium_order_due on policy_premium_order (state, due_on);
create index policy_premium_order_policy on policy_premium_order (policy_id, id);
create index policy_premium_order_insurer on policy_premium_order (insurer_id, state, created_at);

create table policy_premium_order_item (
  id bigint generated always as identity primary key,
  premium_order_id bigint not null references policy_premium_order (id),
  generation int not null default 1,
  line_no int not null check (line_no >= 1),
  insured_item_id bigint not null references policy_insured_item (id),
  slice_id bigint references policy_cover_slice (id),
  plan_code text not null,
  annual_premium_fen bigint not null check (annual_premium_fen >= 0),
  date_from date not null,
  date_to date not null,
  days int not null check (days >= 0),
  -- how the amount follows from rate and days
  basis text not null check (basis in ('CHARGE', 'EXTEND', 'REFUND', 'VOID', 'NONE')),
  fee_fen bigint not null default 0 check (fee_fen >= 0),
  amount_fen bigint not null,
  calc text not null
);
create unique index policy_premium_order_item_line on policy_premium_order_item (premium_order_id, generation, line_no);
create index policy_premium_order_item_person on policy_premium_order_item (insured_item_id);

create table policy_premium_receipt (
  id bigint generated always as identity primary key,
  direction text not null check (direction in ('COLLECT', 'REFUND')),
  amount_fen bigint not null check (amount_fen > 0),
  allocated_fen bigint not null default 0 check (allocated_fen >= 0),
  paid_on date not null,
  payer_name text not null check (char_length(payer_name) between 1 and 60),
  bank_flow_no text not null check (char_length(bank_flow_no) between 1 and 64),
  bank_account_cipher text not null,
  bank_account_masked text not null,
  bank_account_hash text not null,
  source text not null check (source in ('IMPORT', 'STAFF')),
  batch_no text,
  file_ids bigint[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  check (allocated_fen <= amount_fen)
);
create unique index policy_premium_receipt_flow on policy_premium_receipt (bank_account_hash, bank_flow_no);
create index policy_premium_receipt_rest on policy_premium_receipt (id) where allocated_fen < amount_fen;
create index policy_premium_receipt_payer on policy_premium_receipt using gin (payer_name gin_trgm_ops);

-- Of a receipt only what is allocated of it changes.
create function policy_premium_receipt_frozen() returns trigger language plpgsql as $$
begin
  if (new.direction, new.amount_fen, new.paid_on, new.payer_name, new.bank_flow_no, new.bank_account_hash, new.source)
     is distinct from (old.direction, old.amount_fen, old.paid_on, old.payer_name, old.bank_flow_no, old.bank_account_hash, old.source) then
    raise exception 'a receipt is never changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger policy_premium_receipt_frozen before update on policy_premium_receipt
  for each row execute function policy_premium_receipt_frozen();

create table policy_premium_allocation (
  id bigint generated always as identity primary key,
  business_key text not null unique,
  receipt_id bigint not null references policy_premium_receipt (id),
  premium_order_id bigint not null references policy_premium_order (id),
  amount_fen bigint not null check (amount_fen <> 0),
  reverses_allocation_id bigint references policy_premium_allocation (id),
  made_by bigint not null,
  made_by_name text not null,
  confirmed_by bigint,
  at timestamptz not null,
  check ((amount_fen < 0) = (reverses_allocation_id is not null))
);
create unique index policy_premium_allocation_reversed on policy_premium_allocation (reverses_allocation_id)
  where reverses_allocation_id is not null;
create index policy_premium_allocation_receipt on policy_premium_allocation (receipt_id);
create index policy_premium_allocation_order on policy_premium_allocation (premium_order_id);

-- What enrolment and claim did with a cover, as their events tell.
create table policy_cover_use (
  id bigint generated always as identity primary key,
  ref_type text not null check (ref_type in ('APPLY', 'CONTRACT', 'CLAIM')),
  ref_id text not null,
  ref_no text not null,
  insured_item_id bigint not null references policy_insured_item (id),
  policy_id bigint not null references policy_policy (id),
  state text not null check (state in ('OPEN', 'LIVE', 'PAID', 'ENDED')),
  use_from date not null,
  use_to date,
  claimed_fen bigint not null default 0,
  paid_fen bigint not null default 0,
  last_seq int not null default 0,
  updated_at timestamptz not null
);
create unique index policy_cover_use_ref on policy_cover_use (ref_type, ref_id);
create index policy_cover_use_item on policy_cover_use (insured_item_id, state);
create index policy_cover_use_policy on policy_cover_use (policy_id, state);
