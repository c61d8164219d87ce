-- What was withheld in a month is declared and paid to the tax office once, and corrected where a payment came back; then the month of the
-- book is closed by two people.

create table settlement_tax_month (
  id bigint generated always as identity primary key,
  payer_entity_id bigint not null references settlement_payer (id),
  tax_month text not null check (tax_month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null default 'OPEN' check (status in ('OPEN', 'DECLARED', 'CORRECTING')),
  -- paid to the tax office so far, corrections included
  declared_fen bigint not null default 0 check (declared_fen >= 0),
  -- how often it was declared
  declare_count int not null default 0 check (declare_count >= 0),
  declared_by bigint,
  declared_by_name text,
  declared_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  unique (payer_entity_id, tax_month),
  check ((status = 'OPEN') = (declare_count = 0)),
  check ((declare_count > 0) = (declared_at is not null)),
  check (declare_count > 0 or declared_fen = 0)
);
insert into settlement_tax_month (payer_entity_id, tax_month, created_at, updated_at)
  select payer_entity_id, tax_month, min(created_at), min(created_at)
    from settlement_tax_record
    group by payer_entity_id, tax_month;
alter table settlement_tax_record
  add constraint settlement_tax_record_of_month foreign key (payer_entity_id, tax_month)
    references settlement_tax_month (payer_entity_id, tax_month);
create index settlement_tax_record_declared on settlement_tax_record (payer_entity_id, tax_month);
create index settlement_payout_batch_month on settlement_payout_batch (payer_entity_id, tax_month);

create table settlement_period (
  id bigint generated always as identity primary key,
  period text not null unique check (period ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSING', 'CLOSED')),
  started_by bigint,
  started_by_name text,
  started_at timestamptz,
  closed_by bigint,
  closed_by_name text,
  closed_at timestamptz,
  opinion text,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint,
  check ((status = 'OPEN') = (started_at is null)),
  check ((status = 'CLOSED') = (closed_at is not null)),
  check (closed_by is null or closed_by <> started_by)
);
