-- Rules that put and take away marks, and their runs.

create table content_mark_rule (
  id bigint generated always as identity primary key,
  rule_no text not null unique check (rule_no ~ '^GZ\d{5}$'),
  mark_id bigint not null,
  group_id bigint not null,
  object_type text not null check (object_type in ('PATIENT', 'DOCTOR', 'MEDICINE', 'CHANNEL', 'DRUGSTORE')),
  select_mode text not null check (select_mode in ('SINGLE', 'MULTI')),
  -- rows of one group are joined with and, groups with or
  conditions jsonb not null check (jsonb_typeof(conditions) = 'array' and jsonb_array_length(conditions) between 1 and 20),
  remove_when_false boolean not null,
  schedule text not null check (schedule in ('EVENT', 'DAILY', 'ONCE')),
  content_hash text not null,
  state text not null default 'DRAFT' check (state in ('DRAFT', 'RUNNING', 'PAUSED', 'ENDED')),
  published_seq int not null default 0 check (published_seq >= 0),
  published_at timestamptz,
  published_by bigint,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  foreign key (mark_id, group_id) references content_mark (id, group_id),
  foreign key (group_id, object_type, select_mode) references content_tag_group (id, object_type, select_mode),
  check ((published_seq = 0) = (published_at is null)),
  check (state = 'DRAFT' or published_seq > 0)
);
create index content_mark_rule_state on content_mark_rule (state, schedule);
create index content_mark_rule_mark on content_mark_rule (mark_id);

create table content_mark_rule_run (
  id bigint generated always as identity primary key,
  rule_id bigint not null references content_mark_rule (id) on delete cascade,
  seq int not null check (seq > 0),
  kind text not null check (kind in ('DRY', 'RUN')),
  content_hash text not null,
  started_at timestamptz not null,
  started_by bigint,
  finished_at timestamptz,
  total int not null default 0 check (total >= 0),
  evaluated int not null default 0 check (evaluated >= 0),
  to_add int not null default 0 check (to_add >= 0),
  to_remove int not null default 0 check (to_remove >= 0),
  added int not null default 0 check (added >= 0),
  removed int not null default 0 check (removed >= 0),
  state text not null default 'RUNNING' check (state in ('RUNNING', 'DONE', 'FAILED', 'ABORTED')),
  fault text,
  -- some of the objects that change, each with its conditions and the values that they were judged by
  sample jsonb not null default '[]' check (jsonb_array_length(sample) <= 100),
  unique (rule_id, seq),
  check ((state = 'RUNNING') = (finished_at is null)),
  check (kind = 'RUN' or (added = 0 and removed = 0)),
  check (state <> 'ABORTED' or (added = 0 and removed = 0))
);
create unique index content_mark_rule_run_open on content_mark_rule_run (rule_id) where state = 'RUNNING';
create index content_mark_rule_run_newest on content_mark_rule_run (rule_id, started_at desc);

-- a removal by hand keeps rules from the object for a time
create index content_mark_binding_removed on content_mark_binding (mark_id, object_id, ended_at) where end_reason = 'MANUAL';
create index content_mark_binding_rule on content_mark_binding (source_id) where source = 'RULE' and ended_at is null;
