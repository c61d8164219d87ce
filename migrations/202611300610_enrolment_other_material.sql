-- What is handed in for a contract after it was made: each is reviewed on its own, and changes the contract when it passes.

create table enrolment_other_material (
  id bigint generated always as identity primary key,
  material_no text not null unique,
  contract_id bigint not null references enrolment_contract (id),
  kind text not null check (kind in ('FOLLOW_UP', 'IDENTITY', 'BANK', 'PRIOR_PURCHASE', 'PRESCRIPTION', 'OTHER')),
  -- what stands on it, encrypted as a whole: accounts, numbers, findings
  facts_cipher text,
  state text not null default 'PENDING'
    check (state in ('PENDING', 'REVIEWING', 'SUPPLEMENT', 'APPROVED', 'REJECTED', 'WITHDRAWN')),
  entered_state_at timestamptz not null,
  submitted_at timestamptz not null,
  entered_by bigint not null,
  entered_name text not null,
  sla_started_at timestamptz,
  sla_allowed int,
  sla_paused_min int not null default 0,
  sla_paused_at timestamptz,
  sla_due_at timestamptz,
  lease_user_id bigint,
  lease_user_name text,
  lease_token text,
  lease_until timestamptz,
  reject_reasons text[] not null default '{}',
  applicant_wording text not null default '' check (char_length(applicant_wording) <= 500),
  internal_note text not null default '' check (char_length(internal_note) <= 500),
  -- what became of the contract when it passed
  outcome text not null default '',
  amendment_id bigint references enrolment_amendment (id),
  decided_by bigint,
  decided_name text,
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (lease_token is null or state = 'REVIEWING'),
  check (decided_by is null or decided_by <> entered_by),
  check ((state in ('APPROVED', 'REJECTED')) = (decided_at is not null)),
  check ((state = 'REJECTED') = (cardinality(reject_reasons) > 0)),
  check (amendment_id is null or state = 'APPROVED')
);
create index enrolment_other_material_state on enrolment_other_material (state, submitted_at);
create index enrolment_other_material_contract on enrolment_other_material (contract_id, id);
create index enrolment_other_material_submitted on enrolment_other_material (submitted_at, id);
create index enrolment_other_material_due on enrolment_other_material (sla_due_at);

create function enrolment_other_material_entered() returns trigger language plpgsql as $$
begin
  new.entered_state_at := new.updated_at;
  return new;
end $$;
create trigger enrolment_other_material_entered before update of state on enrolment_other_material
  for each row when (old.state is distinct from new.state) execute function enrolment_other_material_entered();
