import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { close } from './accounts.ts';
import { payloadHash, type AccountRef, type Actor, type Posting, type TransferResult } from '../commands.ts';
import { lockAccounts, posted } from './lockAccounts.ts';
import type { LedgerFacts } from './knownAccounts.ts';
import { postPlans } from '../transfers/post.ts';

interface LotRow {
  id: string;
  refType: string;
  refId: string;
  remainingFen: string;
  expiresAt: string | null;
}

/**
 * Moves what an account holds to its successor, lot by lot with its expiry, and closes it; refunds of old spends land on the new one.
 * @returns null where there was nothing to move
 * @throws Refusal SCM18042 while something is held, and what a posting refuses
 */
export async function replaceAccount(
  posting: Posting,
  facts: LedgerFacts,
  command: { from: AccountRef; to: AccountRef; businessKey: string; type: string; reason: string; actor: Actor },
): Promise<TransferResult | null> {
  const { tx, now } = posting;
  const { from, to, businessKey, type, actor, reason } = command;
  const declared = facts.chart.transferType(from.book, type);
  if (from.book !== to.book) throw refuse(ledgerErrors.OTHER_BOOK);
  if (!declared?.debit.includes(from.type) || !declared.credit.includes(to.type)) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  const accounts = await lockAccounts(tx, facts, [from, to], []);
  const [old, fresh] = [accounts.of(from), accounts.of(to)];
  if (!old || !fresh) throw refuse(ledgerErrors.NO_ACCOUNT);
  if (old.held > 0n) throw refuse(ledgerErrors.HAS_HOLDS);
  const amount = posted(old);
  let result: TransferResult | null = null;
  if (amount > 0n) {
    const { rows: lots } = await sql<LotRow>`
      select id, ref_type, ref_id, remaining_fen, expires_at
        from ledger_lot
        where account_id = ${old.id} and remaining_fen > 0
        order by id for update`.execute(tx);
    [result = null] = await postPlans(posting, facts, [
      {
        businessKey,
        book: from.book,
        type,
        day: dayOf(now),
        ref: { type: from.owner.type, id: from.owner.id },
        memo: reason,
        actor,
        hash: payloadHash({ replace: [old.id, fresh.id] }),
        total: amount,
        lines: [
          {
            account: { id: old.id },
            side: old.normalSide === 'C' ? 'D' : 'C',
            amount,
            lots: old.lotted ? { kind: 'CONSUME', lots: lots.map((lot) => ({ lotId: lot.id, amount: BigInt(lot.remainingFen) })) } : null,
            originalEntryId: null,
          },
          ...(old.lotted
            ? lots.map((lot) => ({
                account: { id: fresh.id },
                side: 'C' as const,
                amount: BigInt(lot.remainingFen),
                lots: { kind: 'GRANT' as const, grant: { refType: lot.refType, refId: lot.refId, expiresAt: lot.expiresAt } },
                originalEntryId: null,
              }))
            : [{ account: { id: fresh.id }, side: old.normalSide, amount, lots: null, originalEntryId: null }]),
        ],
        holdId: null,
        originalId: null,
        whole: false,
        unheld: [],
        outOfFrozen: true,
      },
    ]);
  }
  // Lots that are used up count too: a refund of what they gave comes to the new card.
  await sql`
    insert into ledger_lot (
      lot_no, account_id, source_transfer_id, parent_lot_id, ref_type, ref_id, original_fen, remaining_fen, valid_from, expires_at
    )
      select 'LO' || to_char(
        ${now}::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDD'
      ) || lpad((nextval('ledger_lot_no') % 100000000)::text, 8, '0'),
          ${fresh.id}, l.source_transfer_id, l.id, l.ref_type, l.ref_id, l.original_fen, 0, l.valid_from, l.expires_at
        from ledger_lot l
        where l.account_id = ${old.id}
        on conflict (account_id, ref_type, ref_id) do update
        set parent_lot_id = excluded.parent_lot_id, original_fen = excluded.original_fen`.execute(tx);
  await sql`
    update ledger_lot l set moved_to_lot_id = n.id from ledger_lot n
     where l.account_id = ${old.id} and n.account_id = ${fresh.id} and n.parent_lot_id = l.id`.execute(tx);
  await sql`update ledger_account set successor_account_id = ${fresh.id} where id = ${old.id}`.execute(tx);
  await close(posting, from);
  return result;
}
