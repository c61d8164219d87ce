-- append-only: ledger_transfer, ledger_entry, ledger_lot_move, ledger_lot_expiry_change, ledger_period_balance
-- Double entry in three closed books. What is posted is never changed: balances and lots are projections of entries and moves.

create table ledger_account (
  id bigint generated always as identity primary key,
  account_no text not null unique,
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  account_type text not null check (account_type ~ '^[A-Z_]{2,40}$'),
  owner_type text not null check (char_length(owner_type) between 1 and 40),
  owner_id text not null check (char_length(owner_id) between 1 and 64),
  sub text not null default '' check (char_length(sub) <= 64),
  -- as its domain calls the owner, for searches
  owner_name text not null check (char_length(owner_name) <= 200),
  normal_side text not null check (normal_side in ('D', 'C')),
  -- null: an open account of the platform, without floor
  floor_fen bigint,
  stripes smallint not null check (stripes between 1 and 64),
  lotted boolean not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'FROZEN', 'CLOSED')),
  -- who froze it by hand; null: a domain did
  frozen_by bigint,
  -- where refunds of old spends land after a card was replaced
  successor_account_id bigint references ledger_account (id),
  version int not null default 1,
  created_at timestamptz not null,
  closed_at timestamptz,
  unique (book, account_type, owner_type, owner_id, sub),
  check (floor_fen is null or stripes = 1),
  check (not lotted or (floor_fen is not null and normal_side = 'C')),
  check ((status = 'CLOSED') = (closed_at is not null))
);
create index ledger_account_owner_name on ledger_account using gin (owner_name gin_trgm_ops);
create sequence ledger_account_no;

create table ledger_balance (
  account_id bigint not null references ledger_account (id),
  stripe smallint not null check (stripe >= 0),
  debit_total_fen bigint not null default 0 check (debit_total_fen >= 0),
  credit_total_fen bigint not null default 0 check (credit_total_fen >= 0),
  held_fen bigint not null default 0 check (held_fen >= 0),
  -- of the account, so that the row checks itself, and so that whoever waited for it sees a freeze that came before him
  sign smallint not null check (sign in (-1, 1)),
  floor_fen bigint,
  status text not null default 'OPEN' check (status in ('OPEN', 'FROZEN', 'CLOSED')),
  last_entry_seq bigint not null default 0,
  last_entry_at timestamptz,
  primary key (account_id, stripe),
  constraint ledger_balance_floor check (floor_fen is null or sign * (debit_total_fen - credit_total_fen) - held_fen >= floor_fen)
) with (fillfactor = 70);

create table ledger_period (
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  period text not null check (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSING', 'CLOSED')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by bigint,
  proof_id bigint,
  primary key (book, period)
);

create sequence ledger_transfer_no;
create table ledger_transfer (
  id bigint generated always as identity primary key,
  transfer_no text not null unique,
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  transfer_type text not null,
  business_key text not null check (char_length(business_key) between 3 and 160),
  payload_hash text not null,
  posting_date date not null,
  period text not null generated always as
    (lpad(extract(year from posting_date)::int::text, 4, '0') || '-' || lpad(extract(month from posting_date)::int::text, 2, '0')) stored,
  total_fen bigint not null check (total_fen > 0),
  ref_type text not null,
  ref_id text not null,
  ref_no text,
  memo text not null default '' check (char_length(memo) <= 200),
  original_transfer_id bigint references ledger_transfer (id),
  -- mirrors the original as a whole, once
  whole boolean not null default false check (not whole or original_transfer_id is not null),
  hold_id bigint,
  operator_id text not null,
  operator_name text not null,
  trace_id text not null,
  created_at timestamptz not null,
  -- the transaction that posted it, in which alone it gets entries
  made_by bigint not null default pg_current_xact_id()::text::bigint,
  unique (book, business_key),
  foreign key (book, period) references ledger_period (book, period)
);
create unique index ledger_transfer_reversed on ledger_transfer (original_transfer_id) where whole;
create index ledger_transfer_original on ledger_transfer (original_transfer_id) where original_transfer_id is not null;
create index ledger_transfer_ref on ledger_transfer (ref_type, ref_id);
create index ledger_transfer_day on ledger_transfer (book, posting_date, id);
create index ledger_transfer_hold on ledger_transfer (hold_id) where hold_id is not null;

create table ledger_entry (
  id bigint generated always as identity primary key,
  transfer_id bigint not null references ledger_transfer (id),
  line_no smallint not null check (line_no >= 1),
  account_id bigint not null references ledger_account (id),
  side text not null check (side in ('D', 'C')),
  amount_fen bigint not null check (amount_fen > 0 and amount_fen <= 10000000000000),
  -- both of guarded accounts alone
  account_seq bigint,
  balance_after_fen bigint,
  original_entry_id bigint references ledger_entry (id),
  unique (transfer_id, line_no),
  check ((account_seq is null) = (balance_after_fen is null))
);
create unique index ledger_entry_account_seq on ledger_entry (account_id, account_seq) where account_seq is not null;
create index ledger_entry_account on ledger_entry (account_id, id desc);
create index ledger_entry_original on ledger_entry (original_entry_id) where original_entry_id is not null;

-- Debits, credits and the total of a transfer agree when the transaction commits, within its book.
create function ledger_transfer_balances() returns trigger language plpgsql as $$
declare
  sums record;
begin
  select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit,
         coalesce(bool_and(a.book = new.book), false) as one_book
    into sums
    from ledger_entry e join ledger_account a on a.id = e.account_id where e.transfer_id = new.id;
  if sums.debit <> sums.credit or sums.debit <> new.total_fen or not sums.one_book then
    raise exception 'transfer % does not balance within its book', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_transfer_balances after insert on ledger_transfer
  deferrable initially deferred for each row execute function ledger_transfer_balances();
-- Entries come with their transfer, never later.
create function ledger_entry_with_transfer() returns trigger language plpgsql as $$
begin
  if (select t.made_by from ledger_transfer t where t.id = new.transfer_id) <> pg_current_xact_id()::text::bigint then
    raise exception 'an entry is added to a transfer that was posted before' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger ledger_entry_with_transfer before insert on ledger_entry
  for each row execute function ledger_entry_with_transfer();

create sequence ledger_hold_no;
create table ledger_hold (
  id bigint generated always as identity primary key,
  hold_no text not null unique,
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  business_key text not null check (char_length(business_key) between 3 and 160),
  payload_hash text not null,
  amount_fen bigint not null check (amount_fen > 0),
  captured_fen bigint not null default 0 check (captured_fen >= 0),
  released_fen bigint not null default 0 check (released_fen >= 0),
  status text not null default 'PENDING' check (status in ('PENDING', 'CAPTURED', 'RELEASED', 'TIMED_OUT')),
  -- by which a repeated release is known
  release_key text,
  release_reason text,
  expires_at timestamptz,
  ref_type text not null,
  ref_id text not null,
  ref_no text,
  operator_id text not null,
  operator_name text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  unique (book, business_key),
  check (captured_fen + released_fen <= amount_fen),
  check ((status = 'PENDING') = (closed_at is null)),
  check (status = 'PENDING' or captured_fen + released_fen = amount_fen),
  check (status <> 'CAPTURED' or captured_fen > 0),
  check (status not in ('RELEASED', 'TIMED_OUT') or captured_fen = 0)
);
create index ledger_hold_due on ledger_hold (expires_at) where status = 'PENDING';
create index ledger_hold_ref on ledger_hold (ref_type, ref_id);
alter table ledger_transfer add foreign key (hold_id) references ledger_hold (id);

create table ledger_hold_leg (
  hold_id bigint not null references ledger_hold (id),
  account_id bigint not null references ledger_account (id),
  amount_fen bigint not null check (amount_fen > 0),
  captured_fen bigint not null default 0 check (captured_fen >= 0),
  released_fen bigint not null default 0 check (released_fen >= 0),
  primary key (hold_id, account_id),
  check (captured_fen + released_fen <= amount_fen)
);
create index ledger_hold_leg_account on ledger_hold_leg (account_id);

create sequence ledger_lot_no;
create table ledger_lot (
  id bigint generated always as identity primary key,
  lot_no text not null unique,
  account_id bigint not null references ledger_account (id),
  source_transfer_id bigint not null references ledger_transfer (id),
  parent_lot_id bigint references ledger_lot (id),
  ref_type text not null,
  ref_id text not null,
  original_fen bigint not null check (original_fen > 0),
  remaining_fen bigint not null,
  held_fen bigint not null default 0,
  valid_from timestamptz not null,
  -- exclusive: the last valid day 2026-12-31 is kept as 2027-01-01 00:00 in Shanghai
  expires_at timestamptz,
  moved_to_lot_id bigint references ledger_lot (id),
  unique (account_id, ref_type, ref_id),
  check (0 <= held_fen and held_fen <= remaining_fen and remaining_fen <= original_fen)
);
create index ledger_lot_spendable on ledger_lot (account_id, expires_at nulls last, id) where remaining_fen > 0;
create index ledger_lot_expiring on ledger_lot (expires_at) where remaining_fen > 0 and expires_at is not null;
create index ledger_lot_source on ledger_lot (source_transfer_id);

create table ledger_lot_move (
  id bigint generated always as identity primary key,
  lot_id bigint not null references ledger_lot (id),
  transfer_id bigint references ledger_transfer (id),
  hold_id bigint references ledger_hold (id),
  kind text not null check (kind in ('GRANT', 'CONSUME', 'HOLD', 'UNHOLD', 'CAPTURE', 'RESTORE', 'EXPIRE')),
  delta_remaining_fen bigint not null,
  delta_held_fen bigint not null,
  check (transfer_id is not null or hold_id is not null),
  check (delta_remaining_fen <> 0 or delta_held_fen <> 0)
);
create index ledger_lot_move_lot on ledger_lot_move (lot_id, id);
create index ledger_lot_move_transfer on ledger_lot_move (transfer_id) where transfer_id is not null;
create index ledger_lot_move_hold on ledger_lot_move (hold_id) where hold_id is not null;

create table ledger_lot_expiry_change (
  id bigint generated always as identity primary key,
  lot_id bigint not null references ledger_lot (id),
  old_expires_at timestamptz,
  new_expires_at timestamptz,
  reason text not null,
  operator_id text not null,
  operator_name text not null,
  created_at timestamptz not null
);
create index ledger_lot_expiry_change_lot on ledger_lot_expiry_change (lot_id);

create table ledger_period_balance (
  book text not null,
  period text not null,
  account_id bigint not null references ledger_account (id),
  -- written again by each close after a 反结账; the newest counts
  closing_no int not null,
  opening_fen bigint not null,
  debit_fen bigint not null check (debit_fen >= 0),
  credit_fen bigint not null check (credit_fen >= 0),
  closing_fen bigint not null,
  held_fen bigint not null check (held_fen >= 0),
  primary key (book, period, account_id, closing_no),
  foreign key (book, period) references ledger_period (book, period)
);

create table ledger_proof (
  id bigint generated always as identity primary key,
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  as_of timestamptz not null,
  kind text not null check (kind in ('NIGHTLY', 'MANUAL', 'CLOSE')),
  status text not null check (status in ('RUNNING', 'PASSED', 'FAILED')),
  accounts_checked int not null default 0,
  entries_checked bigint not null default 0,
  debit_total_fen bigint not null default 0,
  credit_total_fen bigint not null default 0,
  digest text,
  prev_digest text,
  started_at timestamptz not null,
  finished_at timestamptz,
  check ((status = 'RUNNING') = (finished_at is null))
);
create index ledger_proof_book on ledger_proof (book, id desc);
create unique index ledger_proof_running on ledger_proof (book) where status = 'RUNNING';

create table ledger_finding (
  id bigint generated always as identity primary key,
  proof_id bigint not null references ledger_proof (id),
  book text not null check (book in ('CARD', 'DOCTOR', 'INSURER')),
  finding_code text not null check (finding_code in ('P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P9', 'P10')),
  object_key text not null,
  account_id bigint,
  transfer_id bigint,
  lot_id bigint,
  hold_id bigint,
  expected_fen bigint,
  actual_fen bigint,
  status text not null default 'OPEN' check (status in ('OPEN', 'ASSIGNED', 'RESOLVED', 'IGNORED')),
  owner_user_id bigint,
  resolution text,
  adjustment_id bigint,
  created_at timestamptz not null,
  closed_at timestamptz,
  check (status <> 'IGNORED' or finding_code not in ('P1', 'P2', 'P3', 'P4')),
  check ((status in ('RESOLVED', 'IGNORED')) = (closed_at is not null))
);
create index ledger_finding_open on ledger_finding (book, status);
create unique index ledger_finding_once on ledger_finding (book, finding_code, object_key) where status in ('OPEN', 'ASSIGNED');

create function ledger_refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only', tg_table_name;
end $$;
create trigger ledger_transfer_fixed before update or delete on ledger_transfer for each row execute function ledger_refuse_rewriting();
create trigger ledger_transfer_kept before truncate on ledger_transfer for each statement execute function ledger_refuse_rewriting();
create trigger ledger_entry_fixed before update or delete on ledger_entry for each row execute function ledger_refuse_rewriting();
create trigger ledger_entry_kept before truncate on ledger_entry for each statement execute function ledger_refuse_rewriting();
create trigger ledger_lot_move_fixed before update or delete on ledger_lot_move for each row execute function ledger_refuse_rewriting();
create trigger ledger_lot_move_kept before truncate on ledger_lot_move for each statement execute function ledger_refuse_rewriting();
create trigger ledger_lot_expiry_change_fixed before update or delete on ledger_lot_expiry_change
  for each row execute function ledger_refuse_rewriting();
create trigger ledger_period_balance_fixed before update or delete on ledger_period_balance
  for each row execute function ledger_refuse_rewriting();
