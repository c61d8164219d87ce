-- What people have to do for patients: raised by the engine, by an answer or by a colleague.
create table corpus_follow_task (
  id bigint generated always as identity primary key,
  task_no text not null generated always as ('RW' || lpad(id::text, 8, '0')) stored unique,
  source_type text not null check (source_type in ('SEND', 'ANSWER', 'RUN', 'MANUAL')),
  source_id bigint,
  task_type text not null check (task_type in ('CALL', 'FORM', 'REPLY', 'ALERT', 'AE', 'SEND_FAIL')),
  level text not null check (level in ('HIGH', 'MID', 'LOW')),
  disease_id bigint references corpus_disease (id),
  scene_id bigint references corpus_scene (id),
  run_id bigint references corpus_follow_run (id),
  doctor_id bigint,
  patient_id bigint not null,
  conversation_id bigint,
  group_id text,
  -- what is to be done and why
  subject text not null check (char_length(subject) between 1 and 500),
  due_at timestamptz not null,
  assignee_id bigint,
  state text not null check (state in ('TODO', 'DOING', 'DONE', 'CLOSED')),
  -- [{at, result, note}]
  attempts jsonb not null default '[]' check (jsonb_typeof(attempts) = 'array'),
  result text check (result in ('CONNECTED', 'NO_ANSWER', 'REFUSED', 'WRONG_NUMBER', 'RESOLVED', 'LOST')),
  note text not null default '' check (char_length(note) <= 500),
  next_follow_at timestamptz,
  ae_report jsonb check (jsonb_typeof(ae_report) = 'object'),
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (source_type, source_id, task_type),
  check ((source_type = 'MANUAL') = (source_id is null)),
  check (state <> 'TODO' or (assignee_id is null and result is null)),
  check (state not in ('DOING', 'DONE') or assignee_id is not null),
  check ((state in ('DONE', 'CLOSED')) = (ended_at is not null)),
  -- done is what somebody found out
  check (state <> 'DONE' or (result is not null and result not in ('NO_ANSWER', 'LOST'))),
  check (result is distinct from 'LOST' or state = 'CLOSED'),
  -- a suspected reaction to a medicine is reported within a day, and never done without its report
  check (task_type <> 'AE' or due_at = created_at + interval '24 hours'),
  check (task_type <> 'AE' or state <> 'DONE' or ae_report is not null)
);
create index corpus_follow_task_assignee on corpus_follow_task (assignee_id, state, due_at);
create index corpus_follow_task_patient on corpus_follow_task (patient_id);
create index corpus_follow_task_due on corpus_follow_task (due_at) where state in ('TODO', 'DOING');
create index corpus_follow_task_waiting on corpus_follow_task ((level = 'HIGH') desc, due_at, id) where state = 'TODO';
