-- What the engine knew whenever it judged somebody, so that a changed scene can be run against days that are over.
create table corpus_fact_log (
  patient_id bigint not null,
  conversation_id bigint not null,
  at timestamptz not null,
  -- {code: [value, when it came about]} of the first `catalogue` variables; one without a value is not there
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  catalogue smallint not null check (catalogue > 0),
  group_id text,
  doctor_id bigint,
  assistant_operator_id bigint,
  follow_up boolean not null,
  marketing boolean not null,
  alive boolean not null,
  cancelled boolean not null,
  primary key (patient_id, conversation_id, at)
);
create index corpus_fact_log_at on corpus_fact_log using brin (at);

-- Every decision about a touch with all that it was decided by; a decision that repeats itself is one row.
create table corpus_gate_try (
  send_id bigint not null references corpus_follow_send (id) on delete cascade,
  at timestamptz not null,
  last_at timestamptz not null,
  tries int not null default 1 check (tries > 0),
  scene_package_id bigint,
  input jsonb not null check (jsonb_typeof(input) = 'object'),
  -- facts of the conditions that were asked, as in corpus_fact_log
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  verdict jsonb not null check (jsonb_typeof(verdict) = 'object'),
  primary key (send_id, at)
);
create index corpus_gate_try_package on corpus_gate_try (scene_package_id, at);

-- Pauses, resumptions and moves to another version of a run, in their order; a run from before has none of them.
alter table corpus_follow_run add column course jsonb not null default '[]' check (jsonb_typeof(course) = 'array');

alter table corpus_scene_preview drop constraint corpus_scene_preview_kind_check;
alter table corpus_scene_preview add constraint corpus_scene_preview_kind_check check (kind in ('DRY_RUN', 'SIMULATE', 'REPLAY'));
-- what a replay was set against; null: nothing was in force
alter table corpus_scene_preview add column base_version_id bigint references corpus_package_version (id);
alter table corpus_scene_preview add column from_day date;
alter table corpus_scene_preview add constraint corpus_scene_preview_replayed check ((kind = 'REPLAY') = (from_day is not null));
create index corpus_scene_preview_hash on corpus_scene_preview (scene_package_id, content_hash) where kind = 'REPLAY';

-- Touches of a simulation, and touches that a changed scene adds, drops or moves.
create table corpus_preview_touch (
  preview_id bigint not null references corpus_scene_preview (id) on delete cascade,
  seq int not null,
  scene_package_id bigint not null,
  patient_id bigint not null,
  conversation_id bigint not null,
  doctor_id bigint,
  item_key text not null,
  occurrence int not null,
  change text not null check (change in ('ADDED', 'DROPPED', 'MOVED', 'CHANGED', 'UNKNOWN', 'SENT', 'HELD', 'SKIPPED', 'CANCELLED')),
  -- when the version in force sends it, and when the changed one does
  before_at timestamptz,
  after_at timestamptz,
  label text not null,
  why text not null default '',
  primary key (preview_id, seq)
);
create index corpus_preview_touch_change on corpus_preview_touch (preview_id, change, seq);

-- The replay that was before the eyes of who decided about a version.
alter table corpus_package_version add column replay_id bigint references corpus_scene_preview (id);
