-- A schedule item may ask somebody to do something, instead of or beside its message.
alter table corpus_schedule_item add create_task jsonb check (
  create_task is null or (create_task ->> 'taskType' in ('CALL', 'FORM') and (create_task ->> 'dueInHours')::int between 1 and 720) is true);
-- A touch without a message ends with its task.
alter table corpus_follow_send drop constraint corpus_follow_send_reason_code_check;
alter table corpus_follow_send add constraint corpus_follow_send_reason_code_check check (reason_code in ('KILL', 'PAUSED', 'ACTIVE', 'QUIET', 'CAP', 'EXPIRED',
  'CONDITION_LOST', 'ITEM_CONDITION', 'NO_CONSENT', 'NO_CHANNEL', 'MATERIAL_OFF', 'RX_REQUIRED', 'REPEAT', 'MANUAL', 'KILL_SKIP', 'TASK'));
