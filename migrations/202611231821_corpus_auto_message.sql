create extension if not exists btree_gist;
-- Automatic messages: greetings that answer a patient's arrival, notices that answer another domain's event.
create table corpus_auto_message (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('WELCOME', 'NOTICE')),
  name text not null check (char_length(name) between 1 and 32),
  -- what sets it off: an act of the patient, or the name of an event
  trigger_type text not null check (trigger_type in ('GROUP_CREATED', 'SINGLE_OPEN', 'CHANNEL_SCAN', 'enrolment.apply.submitted', 'enrolment.apply.approved',
    'enrolment.apply.rejected', 'enrolment.apply.supplementRequested', 'enrolment.apply.closed', 'claim.case.supplementRequested', 'claim.case.resultNotified',
    'order.fulfilment.shipped', 'order.fulfilment.signed', 'card.card.granted', 'card.card.expiryNeared')),
  scope_type text not null check (scope_type in ('CHANNEL', 'DOCTOR', 'SERVICE_ITEM', 'DISEASE', 'DEFAULT')),
  scope_id bigint,
  -- its name when it was saved; lists show it
  scope_name text not null,
  material_ids bigint[] not null check (cardinality(material_ids) between 1 and 3),
  delay_sec int not null check (delay_sec between 0 and 60),
  quiet_mode text not null check (quiet_mode in ('IMMEDIATE', 'WINDOW')),
  sms_text text check (char_length(sms_text) between 1 and 70),
  valid_from date,
  valid_to date,
  state text not null check (state in ('DRAFT', 'AUDITING', 'ENABLED', 'DISABLED')),
  submitted_by bigint,
  submitted_at timestamptz,
  audited_by bigint,
  audited_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((kind = 'WELCOME') = (trigger_type in ('GROUP_CREATED', 'SINGLE_OPEN', 'CHANNEL_SCAN'))),
  check ((scope_type = 'DEFAULT') = (scope_id is null)),
  check (kind = 'WELCOME' or scope_type in ('DISEASE', 'DEFAULT')),
  check (sms_text is null or kind = 'NOTICE'),
  check (valid_from is null or valid_to is null or valid_from <= valid_to),
  -- nothing is in use that nobody else than its author has judged
  check (state not in ('ENABLED', 'DISABLED') or (audited_by is not null and audited_by <> submitted_by)),
  check (state <> 'AUDITING' or submitted_by is not null),
  constraint corpus_auto_message_overlap exclude using gist (kind with =, trigger_type with =, scope_type with =, (coalesce(scope_id, 0)) with =,
    daterange(valid_from, valid_to, '[]') with &&) where (state = 'ENABLED')
);
create index corpus_auto_message_list on corpus_auto_message (kind, id desc);
create index corpus_auto_message_trigger on corpus_auto_message (trigger_type) where state = 'ENABLED';
