-- A questionnaire that somebody fills in for a patient while he handles a task: in the place of what was sent to him, or asked by phone
-- without having been sent. Who filled it stands with the answer.
alter table corpus_questionnaire_answer
  alter send_id drop not null,
  add task_id bigint references corpus_follow_task (id),
  add filled_by bigint,
  add check ((task_id is null) = (filled_by is null)),
  add check (send_id is not null or task_id is not null);
-- Of one task each questionnaire is asked once.
create unique index corpus_questionnaire_answer_asked on corpus_questionnaire_answer (task_id, questionnaire_id) where send_id is null;
create index corpus_questionnaire_answer_task on corpus_questionnaire_answer (task_id) where task_id is not null;
