-- Manual corrections: made by one person, confirmed by another, above a sum by a third.

create table ledger_adjustment (
  id bigint generated always as identity primary key,
  adjust_no text not null unique,
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  reason_code text not null check (reason_code in ('POSTING_ERROR', 'BANK_DIFF', 'DATA_FIX', 'WRITE_OFF')),
  reason text not null check (char_length(reason) <= 200),
  legs jsonb not null check (jsonb_typeof(legs) = 'array'),
  -- of the debits
  total_fen bigint not null check (total_fen >= 0),
  attachment_ids bigint[] not null default '{}',
  status text not null default 'DRAFT' check (status in ('DRAFT', 'PENDING', 'PENDING_SECOND', 'POSTED', 'REJECTED', 'CANCELLED')),
  maker_id bigint not null,
  maker_name text not null,
  checker_id bigint,
  checker_name text,
  second_checker_id bigint,
  second_checker_name text,
  transfer_id bigint references ledger_transfer (id),
  submitted_at timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null,
  version int not null default 1,
  constraint ledger_adjustment_two_people check (checker_id is null or checker_id <> maker_id),
  constraint ledger_adjustment_three_people
    check (second_checker_id is null or (second_checker_id <> maker_id and second_checker_id <> checker_id)),
  check ((status = 'POSTED') = (transfer_id is not null)),
  check (status in ('DRAFT', 'REJECTED', 'CANCELLED') or cardinality(attachment_ids) > 0),
  check (status not in ('PENDING_SECOND', 'POSTED') or checker_id is not null),
  -- from 10,000 yuan on two have confirmed it
  check (status <> 'POSTED' or total_fen < 1000000 or second_checker_id is not null)
);
create index ledger_adjustment_book on ledger_adjustment (book, status, id desc);

alter table ledger_finding add column version int not null default 1;
alter table ledger_finding add foreign key (adjustment_id) references ledger_adjustment (id);
