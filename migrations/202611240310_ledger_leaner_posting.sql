-- Postings of one month no longer lock the month's row, nor those of one cash account that account's row: hundreds of shared row locks
-- at once cost more than the rows that are written. What the foreign keys kept is kept by the checks at the end of each transfer, and by
-- months and accounts that are never deleted. A close waits by an advisory lock that postings share.

alter table ledger_transfer drop constraint ledger_transfer_book_period_fkey;
alter table ledger_entry drop constraint ledger_entry_account_id_fkey;
alter table ledger_entry drop constraint ledger_entry_transfer_id_fkey;

create or replace function ledger_transfer_balances() returns trigger language plpgsql as $$
declare
  sums record;
begin
  -- An entry whose account does not exist is not counted, so that the sums miss it.
  select coalesce(sum(e.amount_fen) filter (where e.side = 'D'), 0) as debit, coalesce(sum(e.amount_fen) filter (where e.side = 'C'), 0) as credit,
         coalesce(bool_and(a.book = new.book), false) as one_book
    into sums
    from ledger_entry e join ledger_account a on a.id = e.account_id where e.transfer_id = new.id;
  if sums.debit <> sums.credit or sums.debit <> new.total_fen or not sums.one_book then
    raise exception 'transfer % does not balance within its book', new.id using errcode = 'check_violation';
  end if;
  if not exists (select from ledger_period p where p.book = new.book and p.period = new.period) then
    raise exception 'transfer % belongs to a month that does not exist', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;

drop trigger ledger_entry_with_transfer on ledger_entry;
create or replace function ledger_entry_with_transfer() returns trigger language plpgsql as $$
begin
  if exists (select from made m left join ledger_transfer t on t.id = m.transfer_id
              where t.id is null or t.made_by <> pg_current_xact_id()::text::bigint) then
    raise exception 'an entry is added to a transfer that was posted before' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_with_transfer after insert on ledger_entry
  referencing new table as made for each statement execute function ledger_entry_with_transfer();

create trigger ledger_account_kept before delete on ledger_account for each row execute function ledger_refuse_rewriting();
create trigger ledger_account_all_kept before truncate on ledger_account for each statement execute function ledger_refuse_rewriting();
create trigger ledger_period_kept before delete on ledger_period for each row execute function ledger_refuse_rewriting();
create trigger ledger_period_all_kept before truncate on ledger_period for each statement execute function ledger_refuse_rewriting();
