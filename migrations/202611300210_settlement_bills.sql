-- Incomes of a month become one bill for each doctor and payer; what is due next is set aside in the books.

create table settlement_run (
  id bigint generated always as identity primary key,
  run_no text not null unique,
  period text not null check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  payer_entity_id bigint not null references settlement_payer (id),
  cutoff_at timestamptz not null,
  status text not null default 'RUNNING' check (status in ('RUNNING', 'DONE')),
  bill_count int not null default 0,
  rolled_count int not null default 0,
  gross_fen bigint not null default 0,
  started_by bigint,
  started_by_name text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'RUNNING') = (finished_at is null))
);
-- a month is run once, one run of a payer at a time
create unique index settlement_run_once on settlement_run (period, payer_entity_id);
create unique index settlement_run_running on settlement_run (payer_entity_id) where status = 'RUNNING';

create table settlement_bill (
  id bigint generated always as identity primary key,
  bill_no text not null unique,
  run_id bigint not null references settlement_run (id),
  period text not null,
  doctor_id bigint not null references settlement_doctor (doctor_id),
  payer_entity_id bigint not null references settlement_payer (id),
  item_count int not null check (item_count > 0),
  consult_fen bigint not null check (consult_fen >= 0),
  follow_up_fen bigint not null check (follow_up_fen >= 0),
  adjust_fen bigint not null,
  clawback_fen bigint not null check (clawback_fen <= 0),
  gross_fen bigint not null check (gross_fen > 0),
  -- part of it: what was earned in the months before
  carry_in_fen bigint not null,
  est_tax_fen bigint not null check (est_tax_fen >= 0 and est_tax_fen <= gross_fen),
  -- the hold of it in the books, and how many there were
  hold_id bigint,
  hold_seq int not null default 0,
  status text not null default 'CALCULATED' check (status in ('CALCULATED', 'SUBMITTED', 'APPROVED', 'REJECTED', 'HELD', 'VOIDED')),
  held_from text check (held_from in ('CALCULATED', 'SUBMITTED', 'APPROVED')),
  hold_reason text,
  submitted_by bigint,
  submitted_by_name text,
  audited_by bigint,
  audited_by_name text,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  created_by bigint,
  updated_at timestamptz not null,
  updated_by bigint,
  check (gross_fen = consult_fen + follow_up_fen + adjust_fen + clawback_fen),
  check ((status = 'HELD') = (held_from is not null)),
  check ((status = 'HELD') = (hold_reason is not null)),
  check (status <> 'VOIDED' or hold_id is null),
  check (audited_by is null or audited_by <> submitted_by)
);
create unique index settlement_bill_once on settlement_bill (period, doctor_id, payer_entity_id) where status <> 'VOIDED';
create index settlement_bill_period on settlement_bill (period, id);
create index settlement_bill_doctor on settlement_bill (doctor_id, period);
create index settlement_bill_run on settlement_bill (run_id);
create index settlement_bill_standing on settlement_bill ((case when status in ('VOIDED') then 1 else 0 end), id desc);
create index settlement_bill_gross on settlement_bill (gross_fen, id);

-- Who got no bill in a run, and why.
create table settlement_run_skip (
  run_id bigint not null references settlement_run (id),
  doctor_id bigint not null references settlement_doctor (doctor_id),
  gross_fen bigint not null,
  reason text not null,
  primary key (run_id, doctor_id)
);

alter table settlement_income add column bill_id bigint references settlement_bill (id);
alter table settlement_income drop constraint settlement_income_status_check;
alter table settlement_income
  add constraint settlement_income_status_check check (status in ('PENDING', 'AVAILABLE', 'LOCKED', 'HELD', 'REVERSED'));
alter table settlement_income add constraint settlement_income_in_bill check ((status = 'LOCKED') = (bill_id is not null));
create index settlement_income_bill on settlement_income (bill_id) where bill_id is not null;
create index settlement_income_payable on settlement_income (payer_entity_id, doctor_id) where status = 'AVAILABLE';
