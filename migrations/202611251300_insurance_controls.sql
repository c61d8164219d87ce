-- Cost control: modules, rules with dated versions, and what rules hit.
create table insurance_control_module (
  id bigint generated always as identity primary key,
  module_code text not null unique check (module_code ~ '^[A-Z0-9_-]{2,24}$'),
  module_name text not null check (char_length(module_name) between 1 and 40),
  stage text not null check (stage in ('ENROL', 'DIRECT', 'CLAIM', 'PAY')),
  -- empty: all
  insurer_ids bigint[] not null default '{}',
  product_lines text[] not null default '{}',
  product_ids bigint[] not null default '{}',
  observe_only boolean not null default false,
  owner_user_id bigint,
  sort int not null,
  enabled boolean not null default true,
  remark text not null default '' check (char_length(remark) <= 200),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint
);
create index insurance_control_module_sort on insurance_control_module (sort, id);

create table insurance_control_rule (
  id bigint generated always as identity primary key,
  rule_code text not null unique check (rule_code ~ '^[A-Z0-9_-]{2,24}$'),
  module_id bigint not null references insurance_control_module (id),
  created_at timestamptz not null,
  created_by bigint
);
create index insurance_control_rule_module on insurance_control_rule (module_id);

create table insurance_control_rule_version (
  id bigint generated always as identity primary key,
  control_rule_id bigint not null references insurance_control_rule (id) on delete cascade,
  version_no int not null check (version_no >= 1),
  rule_name text not null check (char_length(rule_name) between 1 and 40),
  mode text not null check (mode in ('MONITOR', 'WARN', 'CAP', 'HOLD', 'REJECT')),
  expression jsonb not null,
  -- digest of the expression alone: a rule that is to reject must have been watched with the same one
  expression_hash text not null,
  -- {target, value, variable, factorBp}
  cap jsonb,
  reason_code text check (reason_code ~ '^L[0-9]{2}$'),
  applicant_text text not null default '' check (char_length(applicant_text) <= 200),
  internal_note text not null default '' check (char_length(internal_note) <= 200),
  effective_from date not null,
  effective_to date,
  gap_note text not null default '' check (char_length(gap_note) <= 200),
  change_note text not null default '' check (char_length(change_note) <= 200),
  state text not null check (state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED', 'PUBLISHED', 'PAUSED', 'WITHDRAWN')),
  -- first day of the present run without a pause; set with the publication and with each resumption
  running_since date,
  paused_from date,
  maker_id bigint,
  checker_id bigint,
  submitted_at timestamptz,
  published_at timestamptz,
  content_hash text,
  closed_predecessor_id bigint references insurance_control_rule_version (id),
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (control_rule_id, version_no),
  check (effective_to >= effective_from),
  check ((mode = 'CAP') = (cap is not null)),
  check ((state = 'PAUSED') = (paused_from is not null)),
  check (state not in ('PUBLISHED', 'PAUSED') or (maker_id is not null and checker_id is not null and maker_id <> checker_id
    and published_at is not null and content_hash is not null and running_since is not null)),
  constraint insurance_control_rule_version_overlap
    exclude using gist (control_rule_id with =, daterange(effective_from, effective_to, '[]') with &&) where (state = 'PUBLISHED')
);
create unique index insurance_control_rule_version_open on insurance_control_rule_version (control_rule_id)
  where state in ('DRAFT', 'PENDING_AUDIT', 'REJECTED');
create index insurance_control_rule_version_state on insurance_control_rule_version (state, effective_from);

create function insurance_control_rule_version_frozen() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state not in ('DRAFT', 'REJECTED') then
      raise exception 'control rule version % is frozen', old.id using errcode = 'check_violation';
    end if;
    return old;
  end if;
  if old.state in ('DRAFT', 'REJECTED') then return new; end if;
  if (new.control_rule_id, new.version_no, new.rule_name, new.mode, new.expression, new.expression_hash, new.cap, new.reason_code,
      new.applicant_text, new.internal_note, new.effective_from, new.gap_note)
     is distinct from
     (old.control_rule_id, old.version_no, old.rule_name, old.mode, old.expression, old.expression_hash, old.cap, old.reason_code,
      old.applicant_text, old.internal_note, old.effective_from, old.gap_note)
     or (old.state in ('PUBLISHED', 'PAUSED', 'WITHDRAWN') and new.content_hash is distinct from old.content_hash) then
    raise exception 'control rule version % is frozen', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger insurance_control_rule_version_frozen before update or delete on insurance_control_rule_version
  for each row execute function insurance_control_rule_version_frozen();

-- Projection of what claims say of their evaluations.
create table insurance_control_hit (
  id bigint generated always as identity primary key,
  evaluation_id text not null check (char_length(evaluation_id) between 1 and 64),
  rule_version_id bigint not null references insurance_control_rule_version (id),
  control_rule_id bigint not null references insurance_control_rule (id),
  -- 0: about the claim as a whole
  line_no int not null check (line_no >= 0),
  claim_id bigint not null,
  stage text not null,
  mode text not null check (mode in ('MONITOR', 'WARN', 'CAP', 'HOLD', 'REJECT')),
  trace jsonb not null,
  saved_fen bigint not null,
  at timestamptz not null,
  overturned boolean not null default false,
  overturned_at timestamptz,
  unique (evaluation_id, rule_version_id, line_no),
  check (overturned = (overturned_at is not null))
);
create index insurance_control_hit_rule on insurance_control_hit (control_rule_id, at desc, id desc);
create index insurance_control_hit_version on insurance_control_hit (rule_version_id, at);
create index insurance_control_hit_claim on insurance_control_hit (claim_id);
create index insurance_control_hit_at on insurance_control_hit (at desc, id desc);
