-- A batch is told to be over once; doctors are told what became of a payment, by a job of its own; a company has its bank's form of file; an
-- account of the books that is frozen stops its company alone.

alter table settlement_payout_batch add column finished_at timestamptz;
update settlement_payout_batch set finished_at = updated_at where status in ('FINISHED', 'PARTIAL');

create table settlement_payout_message (
  id bigint generated always as identity primary key,
  item_id bigint not null references settlement_payout_item (id),
  kind text not null check (kind in ('PAID', 'FAILED')),
  -- NO_MOBILE: nobody can be told
  status text not null default 'WAITING' check (status in ('WAITING', 'SENT', 'NO_MOBILE')),
  due_at timestamptz not null,
  try_count int not null default 0,
  failure text,
  sent_at timestamptz,
  created_at timestamptz not null,
  unique (item_id, kind),
  check ((status = 'SENT') = (sent_at is not null))
);
create index settlement_payout_message_due on settlement_payout_message (due_at, id) where status = 'WAITING';

alter table settlement_payer add column bank_template text not null default 'GENERIC_CSV'
  check (bank_template in ('CMB_AGENCY', 'GENERIC_CSV'));
-- as it was when the file was made: it is made again in the same form
alter table settlement_payout_batch add column bank_template text check (bank_template in ('CMB_AGENCY', 'GENERIC_CSV'));
update settlement_payout_batch set bank_template = 'GENERIC_CSV' where exported_at is not null;
alter table settlement_payout_batch add constraint settlement_payout_batch_template check ((exported_at is not null) = (bank_template is not null));
alter table settlement_payout_item add column branch_name text not null default '';

create table settlement_account_freeze (
  account_no text primary key,
  doctor_id bigint not null references settlement_doctor (doctor_id),
  payer_entity_id bigint not null references settlement_payer (id),
  reason text not null,
  frozen_at timestamptz not null
);
create index settlement_account_freeze_doctor on settlement_account_freeze (doctor_id, payer_entity_id);
