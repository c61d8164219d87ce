-- What the nightly look over policies found wrong, who looks after it, and how each check is set.

-- Checks are declared in the code; a row here says what was set otherwise.
create table policy_abnormal_check (
  id bigint generated always as identity primary key,
  check_code text not null unique check (check_code ~ '^AB[0-9]{2}$'),
  enabled boolean not null,
  severity text not null check (severity in ('HIGH', 'MID', 'LOW')),
  due_days int not null check (due_days between 1 and 90),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);

create table policy_abnormal_run (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  started_by_name text not null,
  found int not null,
  added int not null,
  cleared int not null,
  -- [{checkCode, found, added, cleared, ms}]
  checks jsonb not null,
  check (finished_at >= started_at)
);

create table policy_abnormal_finding (
  id bigint generated always as identity primary key,
  check_code text not null check (check_code ~ '^AB[0-9]{2}$'),
  subject_type text not null check (subject_type in ('policy', 'endorsement', 'insuredItem', 'premiumOrder', 'receipt', 'batch')),
  subject_id bigint not null,
  subject text not null,
  -- tells apart what is wrong with one thing more than once: the other policy, the slice
  fingerprint text not null default '',
  severity text not null check (severity in ('HIGH', 'MID', 'LOW')),
  expected text not null,
  actual text not null,
  policy_id bigint references policy_policy (id),
  insurer_id bigint,
  insurer_name text not null default '',
  owner_user_id bigint,
  owner_name text,
  due_at timestamptz not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  times_seen int not null default 1 check (times_seen >= 1),
  state text not null default 'OPEN' check (state in ('OPEN', 'FIXING', 'RECHECK', 'IGNORE_PENDING', 'IGNORED', 'RESOLVED')),
  fix_note text,
  ignore_until date,
  ignore_by bigint,
  ignore_by_name text,
  approved_by bigint,
  resolved_at timestamptz,
  version int not null default 1,
  check ((state = 'RESOLVED') = (resolved_at is not null)),
  check (state not in ('IGNORE_PENDING', 'IGNORED') or (ignore_until is not null and ignore_by is not null)),
  check (state <> 'IGNORED' or (approved_by is not null and approved_by <> ignore_by))
);
-- a finding is unique while it is open
create unique index policy_abnormal_finding_open on policy_abnormal_finding (check_code, subject_type, subject_id, fingerprint)
  where state <> 'RESOLVED';
create index policy_abnormal_finding_state on policy_abnormal_finding (state, severity, owner_user_id);
create index policy_abnormal_finding_policy on policy_abnormal_finding (policy_id);
create index policy_abnormal_finding_insurer on policy_abnormal_finding (insurer_id, id);
