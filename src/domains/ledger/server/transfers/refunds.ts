import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Book, Side } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { payloadHash, type Actor, type Fen, type LotPick, type Posting, type TransferResult } from '../commands.ts';
import { extendExpiry, sweepLots, type SweepTarget } from '../lots/expire.ts';
import { giveBack } from '../lots/lots.ts';
import { requireAmounts, requireBalance, type LotAmount, type LotPlan, type Plan, type PlanLine } from './plan.ts';
import type { LedgerFacts } from '../accounts/knownAccounts.ts';
import { postPlans } from './post.ts';
import { replays } from './transfers.ts';

interface OriginalRow {
  id: string;
  transferNo: string;
  book: Book;
  transferType: string;
  originalTransferId: string | null;
  refType: string;
  refId: string;
  refNo: string | null;
  totalFen: string;
}

/** An entry of the original with what went back of it already. */
interface OriginalEntry {
  id: string;
  accountId: string;
  /** Where money comes back to after a card was replaced. */
  landsOn: string;
  lotted: boolean;
  side: Side;
  amount: Fen;
  back: Fen;
  /** What it took of lots, less what went back, in the order of use; of a grant the lot that it made. */
  lots: UsedLot[];
}
interface UsedLot extends LotAmount {
  /** Its successor, where the account was replaced. */
  landsOn: string;
  refType: string;
  refId: string;
  expiresAt: Instant | null;
}

/**
 * One at a time works back of a transfer: its row cannot be locked, because nobody may change it.
 * @throws Refusal SCM18004
 */
async function lockOriginal(tx: Tx, id: string): Promise<{ original: OriginalRow; entries: OriginalEntry[] }> {
  await lockKeys(tx, 'ledger.transfer', [id]);
  const { rows } = await sql<OriginalRow>`
    select id, transfer_no, book, transfer_type, original_transfer_id, ref_type, ref_id, ref_no, total_fen
      from ledger_transfer
      where id = ${id}`.execute(tx);
  if (!rows[0]) throw refuse(ledgerErrors.NO_ACCOUNT, { message: '凭证不存在，请刷新后重试' });
  interface EntryRow {
    id: string;
    accountId: string;
    landsOn: string;
    lotted: boolean;
    side: Side;
    amountFen: string;
    backFen: string;
  }
  const { rows: entries } = await sql<EntryRow>`
    select e.id, e.account_id, coalesce(a.successor_account_id, a.id) as lands_on, a.lotted, e.side, e.amount_fen,
           (select coalesce(sum(b.amount_fen), 0) from ledger_entry b where b.original_entry_id = e.id) as back_fen
      from ledger_entry e join ledger_account a on a.id = e.account_id where e.transfer_id = ${id} order by e.line_no`.execute(tx);
  interface LotRow {
    accountId: string;
    lotId: string;
    landsOn: string;
    refType: string;
    refId: string;
    leftFen: string;
    expiresAt: Instant | null;
  }
  const { rows: lots } = await sql<LotRow>`
    with own as (
      select m.lot_id, sum(m.delta_remaining_fen) as moved, min(m.id) as first_move from ledger_lot_move m
       where m.transfer_id = ${id} and m.delta_remaining_fen <> 0 group by m.lot_id
    ), back as (
      select coalesce(l.parent_lot_id, l.id) as lot_id, sum(m.delta_remaining_fen) as moved
        from ledger_lot_move m join ledger_transfer t on t.id = m.transfer_id join ledger_lot l on l.id = m.lot_id
       where t.original_transfer_id = ${id} and m.kind in ('RESTORE', 'CONSUME') group by 1
    )
    select l.account_id, l.id as lot_id, coalesce(l.moved_to_lot_id, l.id) as lands_on, l.ref_type, l.ref_id,
           abs(own.moved + coalesce(back.moved, 0)) as left_fen, l.expires_at
      from own join ledger_lot l on l.id = own.lot_id left join back on back.lot_id = own.lot_id order by own.first_move`.execute(tx);
  return {
    original: rows[0],
    entries: entries.map((row) => ({
      id: row.id,
      accountId: row.accountId,
      landsOn: row.landsOn,
      lotted: row.lotted,
      side: row.side,
      amount: BigInt(row.amountFen),
      back: BigInt(row.backFen),
      lots: lots.filter(({ accountId }) => accountId === row.accountId).map((lot) => ({ ...lot, amount: BigInt(lot.leftFen) })),
    })),
  };
}

/** Which lots an amount goes back to, or is taken back from. @throws Refusal SCM18012, SCM18043 */
function lotsBack(entry: OriginalEntry, amount: Fen, picks: readonly LotPick[] | undefined): LotPlan | null {
  if (!entry.lotted) return null;
  const kind = entry.side === 'D' ? 'RESTORE' : 'CONSUME';
  if (picks) {
    const chosen = picks.map((pick) => {
      const used = entry.lots.find(({ refType, refId }) => refType === pick.refType && refId === pick.refId);
      if (!used || used.amount < pick.amount) throw refuse(ledgerErrors.LOT_NOT_ENOUGH);
      return { lotId: used.landsOn, amount: pick.amount };
    });
    if (chosen.reduce((sum, one) => sum + one.amount, 0n) !== amount) throw refuse(ledgerErrors.LOT_NOT_ENOUGH);
    return { kind, lots: chosen };
  }
  const { given, missing } = giveBack(entry.lots, amount);
  if (missing > 0n) throw refuse(ledgerErrors.TOO_MUCH_REVERSED, { x: yuan(amount - missing) });
  return { kind, lots: given.map(({ landsOn, amount: part }) => ({ lotId: landsOn, amount: part })) };
}

const lineBack = (entry: OriginalEntry, amount: Fen, picks?: readonly LotPick[]): PlanLine => ({
  account: { id: entry.landsOn },
  side: entry.side === 'D' ? 'C' : 'D',
  amount,
  lots: lotsBack(entry, amount, picks),
  originalEntryId: entry.id,
});

interface BackCommand {
  transfer: string;
  businessKey: string;
  reason: string;
  actor: Actor;
}

const planBack = (
  { original, now, lines, whole, hash }: { original: OriginalRow; now: Instant; lines: readonly PlanLine[]; whole: boolean; hash: string },
  command: BackCommand,
): Plan => ({
  businessKey: command.businessKey,
  book: original.book,
  type: original.transferType,
  // Never in the original's period, which may be closed.
  day: dayOf(now),
  ref: { type: original.refType, id: original.refId, ...(original.refNo !== null && { no: original.refNo }) },
  memo: command.reason,
  actor: command.actor,
  hash,
  total: lines.filter(({ side }) => side === 'D').reduce((sum, { amount }) => sum + amount, 0n),
  lines,
  holdId: null,
  originalId: original.id,
  whole,
  unheld: [],
  outOfFrozen: false,
});

/** What the key did before, where it was sent again. */
async function again(tx: Tx, book: Book, businessKey: string): Promise<boolean> {
  const { rows } = await sql`select from ledger_transfer where book = ${book} and business_key = ${businessKey}`.execute(tx);
  return rows.length > 0;
}

/**
 * Mirrors a transfer as a whole, once.
 * @throws Refusal SCM18011–18013, and what a posting refuses
 */
export async function reverse(posting: Posting, facts: LedgerFacts, command: BackCommand): Promise<TransferResult> {
  const { tx, now } = posting;
  const { original, entries } = await lockOriginal(tx, command.transfer);
  const hash = payloadHash({ reverse: original.id, reason: command.reason });
  const type = facts.chart.transferType(original.book, original.transferType);
  if (original.originalTransferId !== null || !type?.reversible) throw refuse(ledgerErrors.IRREVERSIBLE);
  if (await again(tx, original.book, command.businessKey)) {
    const plan = planBack({ original, now, lines: [], whole: true, hash }, command);
    return (await replays(tx, [plan])).get(plan)!;
  }
  const { rows } = await sql`select from ledger_transfer where original_transfer_id = ${original.id} and whole`.execute(tx);
  if (rows.length > 0) throw refuse(ledgerErrors.REVERSED);
  const left = entries.find(({ back }) => back > 0n);
  if (left) throw refuse(ledgerErrors.TOO_MUCH_REVERSED, { x: yuan(left.amount - left.back) });
  const lines = entries.map((entry) => lineBack(entry, entry.amount));
  const [result] = await postPlans(posting, facts, [planBack({ original, now, lines, whole: true, hash }, command)]);
  return result!;
}

export interface RefundCommand extends BackCommand {
  /** Of each entry how much goes back; debits and credits alike, so that it balances by itself. */
  legs: readonly { entryId: string; amount: Fen; lots?: readonly LotPick[] }[];
  /** Lots that ended meanwhile get at least so long again; what they still hold is swept before. */
  grace?: { minLotExpiry: Instant; sweep: SweepTarget };
}

/**
 * Gives back a part of a transfer: to the lots that it took from, the last one first, each with its own expiry.
 * @throws Refusal SCM18005, 18006, 18011–18013, 18043, and what a posting refuses
 */
export async function refund(posting: Posting, facts: LedgerFacts, command: RefundCommand): Promise<TransferResult> {
  const { tx, now } = posting;
  requireAmounts(command.legs.map(({ amount }) => amount));
  const { original, entries } = await lockOriginal(tx, command.transfer);
  const hash = payloadHash({ refund: original.id, legs: command.legs, reason: command.reason });
  const type = facts.chart.transferType(original.book, original.transferType);
  if (original.originalTransferId !== null || !type?.reversible) throw refuse(ledgerErrors.IRREVERSIBLE);
  if (await again(tx, original.book, command.businessKey)) {
    const plan = planBack({ original, now, lines: [], whole: false, hash }, command);
    return (await replays(tx, [plan])).get(plan)!;
  }
  const { rows } = await sql`select from ledger_transfer where original_transfer_id = ${original.id} and whole`.execute(tx);
  if (rows.length > 0) throw refuse(ledgerErrors.REVERSED);
  const asked = new Map<string, Fen>();
  const lines = command.legs.map(({ entryId, amount, lots }) => {
    const entry = entries.find(({ id }) => id === entryId);
    if (!entry) throw refuse(ledgerErrors.NO_ACCOUNT, { message: '分录不存在，请刷新后重试' });
    const before = entry.back + (asked.get(entryId) ?? 0n);
    if (before + amount > entry.amount) throw refuse(ledgerErrors.TOO_MUCH_REVERSED, { x: yuan(entry.amount - before) });
    asked.set(entryId, (asked.get(entryId) ?? 0n) + amount);
    return lineBack(entry, amount, lots);
  });
  const sum = (side: Side) => lines.filter((line) => line.side === side).reduce((total, { amount }) => total + amount, 0n);
  requireBalance(sum('D'), sum('C'));
  if (command.grace) {
    const restored = lines.flatMap(({ lots }) => (lots?.kind === 'RESTORE' ? lots.lots.map(({ lotId }) => lotId) : []));
    await sweepLots(posting, facts, restored, now, command.grace.sweep);
    await extendExpiry(posting, restored, command.grace.minLotExpiry, command);
  }
  const [result] = await postPlans(posting, facts, [planBack({ original, now, lines, whole: false, hash }, command)]);
  return result!;
}
