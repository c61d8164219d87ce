-- Touches that belong to no run: automatic messages and campaigns pass the same claim and delivery.
alter table corpus_follow_send
  add column source_kind text not null default 'FOLLOW' check (source_kind in ('FOLLOW', 'WELCOME', 'NOTICE', 'CAMPAIGN')),
  -- the automatic message or the campaign
  add column source_id bigint,
  -- values of text variables that the source brings along
  add column text_values jsonb not null default '{}' check (jsonb_typeof(text_values) = 'object'),
  -- answers an act of the patient's own: the hours of sending do not count
  add column immediate boolean not null default false,
  -- said by a text message where there is no conversation
  add column sms_text text check (char_length(sms_text) between 1 and 70),
  alter column run_id drop not null,
  alter column scene_package_id drop not null,
  add constraint corpus_follow_send_source check (
    (source_kind = 'FOLLOW') = (run_id is not null) and (run_id is null) = (scene_package_id is null) and (source_kind = 'FOLLOW') = (source_id is null)),
  add constraint corpus_follow_send_immediate check (not immediate or source_kind in ('WELCOME', 'NOTICE')),
  add constraint corpus_follow_send_sms check (sms_text is null or source_kind = 'NOTICE'),
  drop constraint corpus_follow_send_check3,
  add constraint corpus_follow_send_place check (state not in ('SENDING', 'UNKNOWN', 'SENT', 'FAILED') or conversation_id is not null or (state = 'SENT' and sms_text is not null));
create index corpus_follow_send_of_source on corpus_follow_send (source_kind, source_id, due_at) where source_id is not null;
