-- Lists are sorted by the heads of these columns; the id follows, as it ends every order.
create index corpus_follow_task_due_all on corpus_follow_task (due_at, id);
create index corpus_questionnaire_answer_submitted on corpus_questionnaire_answer (submitted_at, id);
