-- Rules about orders: written, tried, approved by a second person, in force between two days.

create table order_rule (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('ALLOCATION')),
  rule_code text not null check (rule_code ~ '^[A-Z][A-Z0-9]{1,19}$'),
  rule_version int not null check (rule_version >= 1),
  rule_name text not null check (char_length(rule_name) between 2 and 30),
  priority int not null check (priority between 1 and 999),
  -- null: every order, the last rule alone
  condition jsonb,
  test_cases jsonb not null default '[]',
  effective_from date not null,
  effective_to date check (effective_to >= effective_from),
  strategy text check (strategy in ('FIXED', 'PRIORITY', 'NEAREST', 'LOWEST_COST', 'WEIGHTED')),
  -- null: all suppliers
  candidates jsonb,
  allow_split boolean,
  max_split int check (max_split between 1 and 3),
  state text not null default 'DRAFT' check (state in ('DRAFT', 'PENDING_APPROVAL', 'REJECTED', 'EFFECTIVE', 'DISABLED')),
  -- what the program relies on: nobody changes it or puts it out of action
  is_fallback boolean not null default false,
  submitted_by bigint,
  approved_by bigint,
  approver_name text,
  approved_at timestamptz,
  editor_name text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (kind, rule_code, rule_version),
  check (is_fallback or condition is not null),
  check (not is_fallback or state = 'EFFECTIVE'),
  check (kind <> 'ALLOCATION' or num_nulls(strategy, allow_split, max_split) = 0),
  check (allow_split or max_split = 1),
  constraint order_rule_overlap exclude using gist (
    kind with =, rule_code with =, daterange(effective_from, effective_to, '[]') with &&
  ) where (state = 'EFFECTIVE')
);
create unique index order_rule_open on order_rule (kind, rule_code) where state in ('DRAFT', 'PENDING_APPROVAL', 'REJECTED');
create index order_rule_effective on order_rule (kind, priority, id) where state = 'EFFECTIVE';

insert into order_rule (
  kind, rule_code, rule_version, rule_name, priority, effective_from, strategy, allow_split, max_split, state, is_fallback, editor_name,
  created_at, updated_at
) values (
  'ALLOCATION', 'AR999', 1, '兜底规则', 999, '2020-01-01', 'PRIORITY', true, 3, 'EFFECTIVE', true, '系统', '2020-01-01', '2020-01-01'
);
