-- Who looks after what a check finds: by the kind of the owner, for one insurer or for all that have nobody of their own.
create table policy_abnormal_owner (
  id bigint generated always as identity primary key,
  owner_kind text not null check (owner_kind in ('INSURER', 'FINANCE', 'SYSTEM', 'PRODUCT')),
  insurer_id bigint,
  insurer_name text not null default '',
  user_id bigint not null,
  user_name text not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((insurer_id is null) = (insurer_name = ''))
);
create unique index policy_abnormal_owner_of on policy_abnormal_owner (owner_kind, insurer_id) nulls not distinct;

alter table policy_abnormal_check
  -- whose it is, where that was set otherwise than it was declared
  add column owner_kind text check (owner_kind in ('INSURER', 'FINANCE', 'SYSTEM', 'PRODUCT'));

-- What enrolment and claim told of a cover may itself be behind.
alter table policy_abnormal_finding
  drop constraint policy_abnormal_finding_subject_type_check,
  add constraint policy_abnormal_finding_subject_type_check
    check (subject_type in ('policy', 'endorsement', 'insuredItem', 'premiumOrder', 'receipt', 'batch', 'coverUse'));
