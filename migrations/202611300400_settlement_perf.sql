-- Which representative looks after which doctor for which product line, from when to when; the only way to change it; months that stay as they are.

-- Representatives as their domain tells of them.
create table settlement_agent (
  agent_id bigint primary key,
  agent_no text not null,
  name text not null,
  state text not null,
  updated_at timestamptz not null
);

-- The row that is locked for every change of a doctor and product line.
create table settlement_perf_head (
  doctor_id bigint not null references settlement_doctor (doctor_id),
  product_line_id bigint not null,
  line_name text not null,
  primary key (doctor_id, product_line_id)
);

create table settlement_perf_period (
  id bigint generated always as identity primary key,
  period text not null unique check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null default 'OPEN' check (status in ('OPEN', 'LOCKED')),
  locked_by bigint,
  locked_by_name text,
  locked_at timestamptz,
  opinion text,
  version int not null default 1,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((status = 'LOCKED') = (locked_at is not null)),
  check ((locked_at is null) = (locked_by_name is null))
);

create table settlement_perf_change (
  id bigint generated always as identity primary key,
  request_no text not null unique,
  change_type text not null check (change_type in ('BIND', 'REBIND', 'UNBIND', 'TRANSFER')),
  -- null: of several
  from_agent_id bigint references settlement_agent (agent_id),
  to_agent_id bigint references settlement_agent (agent_id),
  effective_date date not null,
  reason_code text not null check (reason_code in ('NEW_DOCTOR', 'AREA_CHANGE', 'AGENT_LEFT', 'CORRECTION')),
  reason text not null check (char_length(reason) <= 200),
  file_ids bigint[] not null default '{}',
  source_type text not null default 'MANUAL' check (source_type in ('MANUAL', 'IMPORT', 'ATTRIBUTION', 'HANDOVER')),
  source_no text,
  status text not null default 'DRAFT'
    check (status in ('DRAFT', 'PENDING_AUDIT', 'APPROVED', 'EFFECTIVE', 'REJECTED', 'WITHDRAWN', 'REVOKED')),
  -- null: drafted by the system
  maker_id bigint,
  maker_name text not null,
  submitted_by bigint,
  checker_id bigint,
  checker_name text,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((source_type = 'MANUAL') = (source_no is null)),
  check (status in ('DRAFT', 'WITHDRAWN') or submitted_by is not null),
  check (status not in ('APPROVED', 'EFFECTIVE', 'REVOKED') or checker_id is not null),
  check (checker_id is null or checker_id <> submitted_by)
);
create index settlement_perf_change_day on settlement_perf_change (effective_date) where status in ('PENDING_AUDIT', 'APPROVED');
create index settlement_perf_change_source on settlement_perf_change (source_no) where source_no is not null;
create index settlement_perf_change_standing on settlement_perf_change (
  (case when status in ('EFFECTIVE') then 1 when status in ('WITHDRAWN', 'REVOKED') then 2 else 0 end), id desc
);

create table settlement_perf_relation (
  id bigint generated always as identity primary key,
  agent_id bigint not null references settlement_agent (agent_id),
  doctor_id bigint not null,
  product_line_id bigint not null,
  start_date date not null,
  -- exclusive
  end_date date,
  source_request_id bigint not null references settlement_perf_change (id),
  end_request_id bigint references settlement_perf_change (id),
  revoked boolean not null default false,
  foreign key (doctor_id, product_line_id) references settlement_perf_head (doctor_id, product_line_id),
  check (end_date > start_date),
  check ((end_date is null) = (end_request_id is null)),
  constraint settlement_perf_relation_one exclude using gist
    (doctor_id with =, product_line_id with =, daterange(start_date, end_date) with &&) where (not revoked)
);
create index settlement_perf_relation_agent on settlement_perf_relation (agent_id, start_date);
create index settlement_perf_relation_pair on settlement_perf_relation (doctor_id, product_line_id, start_date);
create index settlement_perf_relation_list on settlement_perf_relation (revoked, start_date desc, id desc);
create index settlement_perf_relation_source on settlement_perf_relation (source_request_id);

create table settlement_perf_item (
  id bigint generated always as identity primary key,
  request_id bigint not null references settlement_perf_change (id) on delete cascade,
  doctor_id bigint not null,
  product_line_id bigint not null,
  from_agent_id bigint references settlement_agent (agent_id),
  to_agent_id bigint references settlement_agent (agent_id),
  old_relation_id bigint references settlement_perf_relation (id),
  new_relation_id bigint references settlement_perf_relation (id),
  -- waits for its decision: of a doctor and product line one at a time
  is_open boolean not null default false,
  -- what counted for another one when it was submitted
  income_count int not null default 0 check (income_count >= 0),
  gross_fen bigint not null default 0,
  months text[] not null default '{}',
  unique (request_id, doctor_id, product_line_id),
  foreign key (doctor_id, product_line_id) references settlement_perf_head (doctor_id, product_line_id),
  check (from_agent_id is not null or to_agent_id is not null),
  check (from_agent_id is distinct from to_agent_id)
);
create unique index settlement_perf_item_open on settlement_perf_item (doctor_id, product_line_id) where is_open;
create index settlement_perf_item_pair on settlement_perf_item (doctor_id, product_line_id);
create index settlement_perf_item_from on settlement_perf_item (from_agent_id);
create index settlement_perf_item_to on settlement_perf_item (to_agent_id);

-- Incomes count for whoever looked after the doctor on their day, for their product line.
alter table settlement_income
  add column product_line_id bigint,
  add column perf_relation_id bigint references settlement_perf_relation (id);
update settlement_income
  set product_line_id = (select p.product_line_id from settlement_program p where p.id = settlement_income.program_id),
    agent_id = null
  where program_id is not null or agent_id is not null;
update settlement_income i
  set product_line_id = f.product_line_id
  from settlement_fact f
  where i.source_type = 'CONSULT_ORDER' and i.source_id = f.order_id;
alter table settlement_income
  add constraint settlement_income_agent check ((agent_id is null) = (perf_relation_id is null));
create index settlement_income_agent on settlement_income (agent_id, occurred_at) where agent_id is not null;
create index settlement_income_pair on settlement_income (doctor_id, product_line_id, occurred_at) where product_line_id is not null;
create index settlement_income_relation on settlement_income (perf_relation_id) where perf_relation_id is not null;

-- What a locked month says of representatives stays.
create function settlement_income_month_guard() returns trigger language plpgsql as $$
begin
  if exists (
    select from settlement_perf_period
      where status = 'LOCKED' and period = to_char(old.occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM')
  ) then
    raise exception 'performance month of income % is locked', old.income_no;
  end if;
  return new;
end $$;
create trigger settlement_income_month before update of agent_id, perf_relation_id on settlement_income
  for each row when (old.perf_relation_id is distinct from new.perf_relation_id) execute function settlement_income_month_guard();
