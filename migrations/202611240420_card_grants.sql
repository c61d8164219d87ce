-- What is put on whose card, by whom it was passed, and what became of each line.

create table card_grant (
  id bigint generated always as identity primary key,
  grant_no text not null unique,
  card_type_id bigint not null references card_type (id),
  source text not null check (source in ('SINGLE', 'IMPORT', 'CONTRACT', 'API')),
  -- Of an import its batch, of a contract its number: the same source makes one grant.
  source_key text unique,
  purpose text not null default '' check (char_length(purpose) <= 200),
  total_count int not null default 0,
  total_amount bigint not null default 0,
  total_bonus bigint not null default 0,
  ok_count int not null default 0,
  fail_count int not null default 0,
  status text not null default 'DRAFT' check (status in
    ('DRAFT', 'PENDING_APPROVAL', 'PENDING_SECOND', 'REJECTED', 'EXECUTING', 'DONE', 'PART_DONE', 'REVOKED')),
  created_by bigint,
  created_by_name text not null,
  created_at timestamptz not null,
  submitted_by bigint,
  submitted_by_name text,
  approved_by bigint,
  approved_by_name text,
  second_approved_by bigint,
  second_approved_by_name text,
  opinion text,
  done_at timestamptz,
  version int not null default 1,
  check (approved_by is null or approved_by is distinct from submitted_by),
  check (second_approved_by is null or (second_approved_by is distinct from submitted_by and second_approved_by is distinct from approved_by))
);
create index card_grant_type on card_grant (card_type_id, status, id);

create table card_grant_line (
  id bigint generated always as identity primary key,
  grant_id bigint not null references card_grant (id),
  card_type_id bigint not null references card_type (id),
  row_no int not null,
  outer_serial_no text check (char_length(outer_serial_no) <= 60),
  holder_name text not null,
  id_type text not null check (id_type in ('ID', 'PASSPORT', 'HKMO', 'TW', 'FOREIGN', 'BIRTH')),
  id_no_cipher text not null,
  id_no_hash text not null,
  id_no_masked text not null,
  mobile_cipher text not null,
  mobile_hash text not null,
  mobile_masked text not null,
  policy_no text,
  amount bigint not null check (amount >= 0),
  bonus bigint not null check (bonus >= 0),
  expire_on date,
  card_id bigint references card_card (id),
  state text not null default 'PENDING' check (state in ('PENDING', 'SUCCESS', 'FAILED', 'PART_REVOKED', 'REVOKED')),
  fail_reason text,
  revoked_amount bigint not null default 0 check (revoked_amount between 0 and amount + bonus),
  done_at timestamptz,
  unique (grant_id, row_no),
  unique (card_type_id, outer_serial_no)
);
create index card_grant_line_holder on card_grant_line (id_no_hash, card_type_id);
create index card_grant_line_card on card_grant_line (card_id) where card_id is not null;

alter table card_lot add column grant_line_id bigint references card_grant_line (id);
create index card_lot_line on card_lot (grant_line_id) where grant_line_id is not null;
create index card_lot_card on card_lot (card_id);
