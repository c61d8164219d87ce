-- One-off sending to an audience; its touches are rows of corpus_follow_send of source CAMPAIGN, one per person.
create table corpus_campaign (
  id bigint generated always as identity primary key,
  campaign_no text not null generated always as ('QF' || lpad(id::text, 8, '0')) stored unique,
  name text not null check (char_length(name) between 1 and 32),
  disease_ids bigint[] not null,
  -- conditions with the codes of their variables, as a version of a scene freezes them
  rows jsonb not null default '[]' check (jsonb_typeof(rows) = 'array' and jsonb_array_length(rows) <= 30),
  include_patient_ids bigint[] not null default '{}' check (cardinality(include_patient_ids) <= 1000),
  exclude_patient_ids bigint[] not null default '{}' check (cardinality(exclude_patient_ids) <= 1000),
  target text not null check (target in ('AUTO', 'GROUP', 'SINGLE')),
  touch_kind text not null check (touch_kind in ('CARE', 'CHECK', 'EDUCATION', 'FORM', 'MEDICATION', 'PROMO', 'REVISIT', 'SERVICE')),
  material_ids bigint[] not null check (cardinality(material_ids) between 1 and 5),
  send_at timestamptz not null,
  -- persons of the audience when it was looked at last; null: not since it was written
  preview_count int check (preview_count >= 0),
  preview_at timestamptz,
  state text not null default 'DRAFT' check (state in ('DRAFT', 'AUDITING', 'SCHEDULED', 'SENDING', 'DONE', 'STOPPED')),
  stop_reason text not null default '' check (char_length(stop_reason) <= 500),
  submitted_by bigint,
  submitted_at timestamptz,
  audited_by bigint,
  audited_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (cardinality(disease_ids) > 0 or cardinality(include_patient_ids) > 0),
  check ((preview_count is null) = (preview_at is null)),
  -- nobody is written to before the audience was looked at, and judged by somebody else
  check (state = 'DRAFT' or (submitted_by is not null and preview_count is not null)),
  check (state not in ('SCHEDULED', 'SENDING', 'DONE') or (audited_by is not null and audited_by <> submitted_by)),
  check (state not in ('SENDING', 'DONE') or started_at is not null),
  check ((state in ('DONE', 'STOPPED')) = (ended_at is not null))
);
create index corpus_campaign_due on corpus_campaign (send_at) where state in ('SCHEDULED', 'SENDING');
