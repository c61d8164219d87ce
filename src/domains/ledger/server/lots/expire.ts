import { sql } from 'kysely';
import { lotExpired } from '#events/ledger.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { tryLockKey } from '#kernel/server/command/lockKeys.ts';
import type { Db } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import { payloadHash, SYSTEM, type AccountRef, type Actor, type Fen, type Posting } from '../commands.ts';
import { lockAccounts } from '../accounts/lockAccounts.ts';
import { lockLots } from './lockLots.ts';
import type { Plan } from '../transfers/plan.ts';
import type { LedgerFacts } from '../accounts/knownAccounts.ts';
import { postPlans } from '../transfers/post.ts';

/** A lot whose time is over, as its owner's domain sees it. */
export interface ExpiredLot {
  id: string;
  lotNo: string;
  accountNo: string;
  owner: { type: string; id: string };
  accountType: string;
  book: Book;
  refType: string;
  refId: string;
  expiresAt: Instant;
}
/** Where the owner's domain sends what is left, and under which key: each further sweep of the lot adds its number. */
export type SweepTarget = (lot: ExpiredLot) => Target | Promise<Target>;
interface Target {
  type: string;
  credit: AccountRef;
  businessKey: string;
}

interface Row {
  id: string;
  lotNo: string;
  accountId: string;
  accountNo: string;
  ownerType: string;
  ownerId: string;
  accountType: string;
  book: Book;
  refType: string;
  refId: string;
  expiresAt: Instant;
}

/**
 * How often each lot was swept: what a hold gave back, or a refund, is swept once more, perhaps on the same day. A key
 * that says only lot and day would refuse that, or take it for the sweep that was. Exact while the lots are locked.
 */
async function sweepsSoFar(tx: Posting['tx'], lotIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ lotId: string; times: number }>`
    select lot_id, count(*)::int as times from ledger_lot_move
     where lot_id = any(${[...lotIds]}::bigint[]) and kind = 'EXPIRE' group by lot_id`.execute(tx);
  return new Map(rows.map(({ lotId, times }) => [lotId, times]));
}

/**
 * Sweeps what is left of these lots, where it is theirs to spend and their time is over: held value stays.
 * @returns how many lots and how much, in fen
 */
export async function sweepLots(
  posting: Posting,
  facts: LedgerFacts,
  lotIds: readonly string[],
  asOf: Instant,
  sweep: SweepTarget,
): Promise<{ swept: number; amount: Fen }> {
  const { tx, now } = posting;
  const { rows } = await sql<Row>`
    select l.id, l.lot_no, l.account_id, a.account_no, a.owner_type, a.owner_id, a.account_type, a.book, l.ref_type, l.ref_id, l.expires_at
      from ledger_lot l
      join ledger_account a on a.id = l.account_id
      where l.id = any(${[...lotIds]}::bigint[]) and l.expires_at <= ${asOf}::timestamptz and l.remaining_fen > l.held_fen
      order by l.id`.execute(tx);
  if (rows.length === 0) return { swept: 0, amount: 0n };
  const targets: { row: Row; target: Target }[] = [];
  for (const row of rows) targets.push({ row, target: await sweep({ ...row, owner: { type: row.ownerType, id: row.ownerId } }) });
  // Both sides at once, in the order of all transactions; the amounts are those of the lots once they are ours.
  await lockAccounts(
    tx,
    facts,
    targets.map(({ target }) => target.credit),
    rows.map(({ accountId }) => accountId),
  );
  const lots = await lockLots(
    tx,
    facts.chart,
    [],
    rows.map(({ id }) => id),
  );
  const earlier = await sweepsSoFar(tx, lotIds);
  const due = targets.flatMap(({ row, target }) => {
    const lot = lots.byId(row.id);
    const amount = lot ? lot.remaining - lot.held : 0n;
    const times = earlier.get(row.id) ?? 0;
    const businessKey = times === 0 ? target.businessKey : `${target.businessKey}:${times + 1}`;
    return lot && amount > 0n && lot.expiresAt !== null && lot.expiresAt <= asOf ? [{ row, target, businessKey, amount }] : [];
  });
  const plans = due.map(({ row, target, businessKey, amount }): Plan => ({
    businessKey,
    book: row.book,
    type: target.type,
    day: dayOf(now),
    ref: { type: row.refType, id: row.refId },
    memo: '额度过期',
    actor: SYSTEM,
    hash: payloadHash({ expire: row.id, amount }),
    total: amount,
    lines: [
      {
        account: { id: row.accountId },
        side: 'D',
        amount,
        lots: { kind: 'EXPIRE', lots: [{ lotId: row.id, amount }] },
        originalEntryId: null,
      },
      { account: target.credit, side: 'C', amount, lots: null, originalEntryId: null },
    ],
    holdId: null,
    originalId: null,
    whole: false,
    unheld: [],
    // A frozen card's lots end all the same.
    outOfFrozen: true,
  }));
  const results = await postPlans(posting, facts, plans);
  await posting.publishMany(
    lotExpired,
    due.map(({ row, amount }, index) => ({
      aggregateId: results[index]!.transferId,
      payload: {
        accountNo: row.accountNo,
        ownerType: row.ownerType,
        ownerId: row.ownerId,
        lotId: row.id,
        refType: row.refType,
        refId: row.refId,
        amountFen: Number(amount),
      },
    })),
  );
  return { swept: due.length, amount: due.reduce((sum, { amount }) => sum + amount, 0n) };
}

/** Lots of a book whose time is over by `asOf` and of which something is free, behind the one that was seen last. */
export async function overdueLots(db: Db, { book, asOf, after, limit }: { book: Book; asOf: Instant; after: string; limit: number }) {
  const { rows } = await sql<{ id: string; accountNo: string }>`
    select l.id, a.account_no from ledger_lot l join ledger_account a on a.id = l.account_id
     where a.book = ${book} and l.expires_at <= ${asOf}::timestamptz and l.remaining_fen > l.held_fen and l.id > ${after}::bigint
     order by l.id limit ${limit}`.execute(db);
  return rows;
}

/** Lots of a book whose time is over by `asOf`, some at a time, or of those that are named; one sweep of a book at once. */
export async function expireLots(
  posting: Posting,
  facts: LedgerFacts,
  { book, asOf, limit, lotIds, sweep }: { book: Book; asOf: Instant; limit: number; lotIds?: readonly string[]; sweep: SweepTarget },
): Promise<{ swept: number; amount: Fen }> {
  if (!(await tryLockKey(posting.tx, 'ledger.expireLots', book))) return { swept: 0, amount: 0n };
  const { rows } = await sql<{ id: string }>`
    select l.id from ledger_lot l join ledger_account a on a.id = l.account_id
     where a.book = ${book} and l.expires_at <= ${asOf}::timestamptz and l.remaining_fen > l.held_fen
       ${lotIds ? sql`and l.id = any(${[...lotIds]}::bigint[])` : sql``}
     order by l.expires_at, l.id limit ${limit}`.execute(posting.tx);
  return sweepLots(
    posting,
    facts,
    rows.map(({ id }) => id),
    asOf,
    sweep,
  );
}

/** Gives lots at least so long, and says so. */
export async function extendExpiry(
  { tx, now }: Posting,
  lotIds: readonly string[],
  atLeast: Instant,
  { reason, actor }: { reason: string; actor: Actor },
): Promise<void> {
  await sql`
    with old as (
      select id, expires_at
        from ledger_lot
        where id = any(${[...lotIds]}::bigint[]) and expires_at < ${atLeast}::timestamptz
        order by id for update
    ),
    changed as (update ledger_lot l set expires_at = ${atLeast}::timestamptz from old where l.id = old.id )
    insert into ledger_lot_expiry_change (lot_id, old_expires_at, new_expires_at, reason, operator_id, operator_name, created_at)
    select id, expires_at, ${atLeast}::timestamptz, ${reason}, ${actor.id}, ${actor.name}, ${now}::timestamptz
      from old`.execute(tx);
}
