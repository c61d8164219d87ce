-- De-identified inputs and results of decided claims, and their runs under a draft.
create table insurance_claim_snapshot (
  id bigint generated always as identity primary key,
  claim_id bigint not null,
  round int not null check (round >= 1),
  claim_no text not null,
  insurer_id bigint,
  product_id bigint not null,
  product_version_id bigint not null,
  input jsonb not null,
  result jsonb not null,
  decided_at timestamptz not null,
  paid_fen bigint not null check (paid_fen >= 0),
  unique (claim_id, round)
);
create index insurance_claim_snapshot_product on insurance_claim_snapshot (product_id, decided_at);
create index insurance_claim_snapshot_decided on insurance_claim_snapshot (decided_at, id);

create table insurance_rule_replay (
  id bigint generated always as identity primary key,
  replay_no text not null unique check (replay_no ~ '^HF[0-9]{14}$'),
  owner_type text not null check (owner_type in ('PRODUCT_VERSION', 'CONTROL_RULE_VERSION')),
  owner_id bigint not null,
  owner_name text not null,
  content_hash text not null,
  -- the draft as it was when the run began
  content jsonb not null,
  from_date date not null,
  to_date date not null,
  -- {insurerIds, productIds, productLines}
  filter jsonb not null default '{}',
  state text not null check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
  -- where the next batch begins
  cursor_id bigint not null default 0,
  total int not null,
  done int not null default 0,
  changed int not null default 0,
  failed int not null default 0,
  paid_before_fen bigint not null default 0,
  paid_after_fen bigint not null default 0,
  fault text,
  started_at timestamptz,
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (to_date >= from_date),
  check (done between 0 and total),
  check ((state in ('DONE', 'FAILED', 'CANCELLED')) = (ended_at is not null))
);
create unique index insurance_rule_replay_running on insurance_rule_replay (owner_type, owner_id) where state in ('QUEUED', 'RUNNING');
create index insurance_rule_replay_owner on insurance_rule_replay (owner_type, owner_id, id desc);

create table insurance_rule_replay_case (
  id bigint generated always as identity primary key,
  replay_id bigint not null references insurance_rule_replay (id) on delete cascade,
  snapshot_id bigint not null,
  claim_no text not null,
  before_fen bigint not null,
  after_fen bigint not null,
  outcome_before text not null,
  outcome_after text not null,
  -- {before: [{lineNo, steps}], after: […]}
  diff_steps jsonb not null,
  verdict text check (verdict in ('EXPECTED', 'UNEXPECTED')),
  note text not null default '' check (char_length(note) <= 200),
  judged_by bigint,
  judged_by_name text,
  judged_at timestamptz,
  unique (replay_id, snapshot_id)
);
create index insurance_rule_replay_case_verdict on insurance_rule_replay_case (replay_id, verdict);
