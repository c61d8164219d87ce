-- Pharma companies pay for services that doctors render: programmes with a budget that is never overspent, their tasks, and what was done.

create table settlement_program (
  id bigint generated always as identity primary key,
  program_no text not null unique,
  program_name text not null check (char_length(program_name) between 2 and 50),
  pharma_company_id bigint not null,
  company_name text not null,
  product_line_id bigint not null,
  line_name text not null,
  payer_entity_id bigint not null references settlement_payer (id),
  start_date date not null,
  end_date date not null,
  budget_fen bigint not null check (budget_fen > 0),
  -- accrued to doctors
  used_fen bigint not null default 0 check (used_fen >= 0),
  -- done while it was paused: accrued when it goes on
  reserved_fen bigint not null default 0 check (reserved_fen >= 0),
  scope_type text not null check (scope_type in ('ALL', 'DOCTOR', 'CHANNEL')),
  scope_ids bigint[] not null default '{}',
  introduction text not null default '' check (char_length(introduction) <= 5000),
  intro_version int not null default 1 check (intro_version > 0),
  file_ids bigint[] not null default '{}',
  compliance_by_name text,
  compliance_at timestamptz,
  status text not null default 'DRAFT'
    check (status in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'ACTIVE', 'PAUSED', 'ENDED', 'CLOSED')),
  opinion text,
  maker_name text not null,
  submitted_by bigint,
  audited_by bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  constraint settlement_program_budget check (used_fen + reserved_fen <= budget_fen),
  check (end_date > start_date),
  check ((scope_type = 'ALL') = (cardinality(scope_ids) = 0)),
  check ((compliance_at is null) = (compliance_by_name is null)),
  check (status in ('DRAFT', 'REJECTED') or compliance_at is not null and introduction <> '' and cardinality(file_ids) > 0),
  check (audited_by is null or audited_by <> submitted_by),
  check (status <> 'CLOSED' or reserved_fen = 0)
);
create index settlement_program_running on settlement_program (end_date) where status in ('ACTIVE', 'PAUSED');

create table settlement_program_task (
  id bigint generated always as identity primary key,
  program_id bigint not null references settlement_program (id) on delete cascade,
  task_type text not null check (task_type in ('CASE_COLLECT', 'PATIENT_EDU', 'FOLLOW_UP_RECORD', 'SURVEY', 'LECTURE')),
  task_name text not null check (char_length(task_name) between 2 and 40),
  unit_fen bigint not null check (unit_fen > 0),
  monthly_cap_count int not null check (monthly_cap_count > 0),
  program_cap_count int check (program_cap_count > 0),
  -- what a task that a machine tells of has to come to
  min_duration_min int check (min_duration_min > 0),
  min_score int check (min_score > 0),
  done_count int not null default 0 check (done_count >= 0),
  unique (program_id, task_type, task_name),
  check (done_count <= program_cap_count)
);

-- How often a doctor did a task in a month.
create table settlement_program_count (
  task_id bigint not null references settlement_program_task (id),
  doctor_id bigint not null,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  done_count int not null check (done_count >= 0),
  primary key (task_id, doctor_id, month)
);

-- What one asks for a running programme, and another passes: more budget, another introduction, a table of what was done.
create table settlement_program_change (
  id bigint generated always as identity primary key,
  program_id bigint not null references settlement_program (id),
  kind text not null check (kind in ('BUDGET', 'INTRO', 'FACTS')),
  amount_fen bigint check (amount_fen > 0),
  introduction text check (char_length(introduction) between 1 and 5000),
  batch_no text,
  fact_count int check (fact_count > 0),
  reason text not null check (char_length(reason) <= 200),
  status text not null default 'PENDING' check (status in ('PENDING', 'APPROVED', 'REJECTED')),
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  check ((kind = 'BUDGET') = (amount_fen is not null)),
  check ((kind = 'INTRO') = (introduction is not null)),
  check ((kind = 'FACTS') = (batch_no is not null)),
  check ((kind = 'FACTS') = (fact_count is not null)),
  check ((status = 'PENDING') = (checker_id is null)),
  check (checker_id is null or checker_id <> maker_id)
);
create unique index settlement_program_change_open on settlement_program_change (program_id, kind)
  where status = 'PENDING' and kind <> 'FACTS';
create unique index settlement_program_change_batch on settlement_program_change (program_id, batch_no);

alter table settlement_income drop constraint settlement_income_income_type_check;
alter table settlement_income drop constraint settlement_income_source_type_check;
alter table settlement_income
  add column program_id bigint references settlement_program (id),
  add column task_id bigint references settlement_program_task (id),
  -- nothing was accrued: the programme is paused, or its budget is used up
  add column waits_for text check (waits_for in ('PAUSE', 'BUDGET')),
  add constraint settlement_income_income_type_check
    check (income_type in ('CONSULT', 'FOLLOW_UP', 'INCENTIVE', 'ADJUST', 'CLAWBACK')),
  add constraint settlement_income_source_type_check check (source_type in ('CONSULT_ORDER', 'ADJUST', 'INCENTIVE_FACT')),
  add constraint settlement_income_program check ((income_type = 'INCENTIVE') = (program_id is not null)),
  add constraint settlement_income_task check ((program_id is null) = (task_id is null)),
  add constraint settlement_income_waits check (waits_for is null or program_id is not null and status in ('HELD', 'REVERSED'));
create index settlement_income_program on settlement_income (program_id, status) where program_id is not null;

create table settlement_program_fact (
  id bigint generated always as identity primary key,
  program_id bigint not null references settlement_program (id),
  task_id bigint not null references settlement_program_task (id),
  doctor_id bigint not null,
  doctor_name text not null,
  source_type text not null check (source_type in ('VISIT_RECORD', 'TASK', 'IMPORT')),
  source_no text not null,
  occurred_at timestamptz not null,
  item_count int not null check (item_count between 1 and 1000),
  duration_min int,
  score numeric,
  change_id bigint references settlement_program_change (id),
  state text not null check (state in ('CHECKING', 'NEW', 'BOOKED', 'OVER_CAP', 'LATE', 'UNFIT', 'REFUSED', 'REVERSED')),
  paid_count int not null default 0 check (paid_count between 0 and item_count),
  income_id bigint references settlement_income (id),
  created_at timestamptz not null,
  check ((state in ('BOOKED', 'REVERSED')) = (income_id is not null))
);
-- one thing that was done is paid once; a refused table may be handed in again
create unique index settlement_program_fact_once on settlement_program_fact (source_type, source_no) where state <> 'REFUSED';
create index settlement_program_fact_program on settlement_program_fact (program_id, id);
create index settlement_program_fact_new on settlement_program_fact (program_id, id) where state = 'NEW';
create index settlement_program_fact_income on settlement_program_fact (income_id) where income_id is not null;
create index settlement_program_fact_change on settlement_program_fact (change_id) where change_id is not null;

alter table settlement_bill add column incentive_fen bigint not null default 0 check (incentive_fen >= 0);
do $$
declare
  sums text;
begin
  select conname into strict sums
    from pg_constraint
    where conrelid = 'settlement_bill'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%consult_fen +%';
  execute format('alter table settlement_bill drop constraint %I', sums);
end $$;
alter table settlement_bill
  add constraint settlement_bill_sums check (gross_fen = consult_fen + follow_up_fen + incentive_fen + adjust_fen + clawback_fen);
