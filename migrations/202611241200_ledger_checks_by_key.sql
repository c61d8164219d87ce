-- The checks at the end of a transfer look accounts, months and transfers up by their keys, one by one. As joins they were planned for the
-- tables as small as they were at a connection's first posting, and read them whole from then on.

create or replace function ledger_transfer_balances() returns trigger language plpgsql as $$
declare
  sums record;
begin
  select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit,
         -- An entry whose account does not exist is of no book.
         coalesce(bool_and(coalesce((select a.book from ledger_account a where a.id = e.account_id) = new.book, false)), false) as one_book
    into sums
    from ledger_entry e where e.transfer_id = new.id;
  if sums.debit <> sums.credit or sums.debit <> new.total_fen or not sums.one_book then
    raise exception 'transfer % does not balance within its book', new.id using errcode = 'check_violation';
  end if;
  if not exists (select from ledger_period p where p.book = new.book and p.period = new.period) then
    raise exception 'transfer % belongs to a month that does not exist', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function ledger_entry_with_transfer() returns trigger language plpgsql as $$
begin
  if exists (select from (select distinct transfer_id from made) m
              where (select t.made_by from ledger_transfer t where t.id = m.transfer_id) is distinct from pg_current_xact_id()::text::bigint) then
    raise exception 'an entry is added to a transfer that was posted before' using errcode = 'check_violation';
  end if;
  return null;
end $$;
