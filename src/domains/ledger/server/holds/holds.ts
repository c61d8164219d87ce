import { sql } from 'kysely';
import { refuse, type Refusal } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { holdTimedOut } from '#events/ledger.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Book, Side } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { holdStates, type HoldState } from '../../contract/states.ts';
import { accountAt, chooseLots, requireMoving } from '../transfers/apply.ts';
import {
  payloadHash,
  refKey,
  type AccountRef,
  type Actor,
  type Fen,
  type HoldCommand,
  type Leg,
  type Posting,
  type Reference,
  type TransferResult,
} from '../commands.ts';
import { lockAccounts, spendable, type LockedAccount } from '../accounts/lockAccounts.ts';
import { lockLots } from '../lots/lockLots.ts';
import { byUse, firstOf } from '../lots/lots.ts';
import { accountsOf, halfPlanOf, requireAmounts, requireBalance, type LotAmount, type PlanLine } from '../transfers/plan.ts';
import type { LedgerFacts } from '../accounts/knownAccounts.ts';
import { changesSince, postPlans, remember } from '../transfers/post.ts';
import { replays } from '../transfers/transfers.ts';
import { updateBalances, writeMoves } from '../transfers/write.ts';

export interface HoldResult {
  holdId: string;
  holdNo: string;
  status: HoldState;
  replayed: boolean;
  legs: { accountId: string; amount: Fen; lots: LotAmount[] }[];
  /** What it still holds of lots, in the order in which captures use them. */
  lots: LotAmount[];
}

interface HoldRow {
  id: string;
  holdNo: string;
  book: Book;
  businessKey: string;
  payloadHash: string;
  status: HoldState;
  releaseKey: string | null;
  amountFen: string;
  capturedFen: string;
  releasedFen: string;
  expiresAt: Instant | null;
  refType: string;
  refId: string;
}

/** What is still held of an account, with the lots that the hold fixed. */
interface HeldLeg {
  accountId: string;
  accountType: string;
  normalSide: Side;
  lotted: boolean;
  amount: Fen;
  left: Fen;
  lots: HeldLot[];
}
/** @property order in which it is used among all lots of the hold, also those of other accounts */
interface HeldLot extends LotAmount {
  order: string;
}

const holdColumns = sql`
  h.id, h.hold_no, h.book, h.business_key, h.payload_hash, h.status, h.release_key, h.amount_fen, h.captured_fen, h.released_fen,
  h.expires_at, h.ref_type, h.ref_id`;

async function legsOf(tx: Tx, holdId: string): Promise<HeldLeg[]> {
  interface Row {
    accountId: string;
    accountType: string;
    normalSide: Side;
    lotted: boolean;
    amountFen: string;
    leftFen: string;
  }
  const { rows } = await sql<Row>`
    select l.account_id, a.account_type, a.normal_side, a.lotted, l.amount_fen, l.amount_fen - l.captured_fen - l.released_fen as left_fen
      from ledger_hold_leg l join ledger_account a on a.id = l.account_id where l.hold_id = ${holdId} order by l.account_id`.execute(tx);
  const { rows: lots } = await sql<{ accountId: string; lotId: string; heldFen: string; first: string }>`
    select l.account_id, m.lot_id, sum(m.delta_held_fen) as held_fen, min(m.id) as first
      from ledger_lot_move m
      join ledger_lot l on l.id = m.lot_id
      where m.hold_id = ${holdId}
      group by l.account_id, m.lot_id
      having sum(m.delta_held_fen) > 0
      order by min(m.id)`.execute(tx);
  return rows.map((row) => ({
    accountId: row.accountId,
    accountType: row.accountType,
    normalSide: row.normalSide,
    lotted: row.lotted,
    amount: BigInt(row.amountFen),
    left: BigInt(row.leftFen),
    lots: lots
      .filter(({ accountId }) => accountId === row.accountId)
      .map(({ lotId, heldFen, first }) => ({ lotId, amount: BigInt(heldFen), order: first })),
  }));
}

const lotAmount = ({ lotId, amount }: LotAmount): LotAmount => ({ lotId, amount });
const inOrderOfUse = (legs: readonly HeldLeg[]) =>
  legs
    .flatMap((leg) => leg.lots.map((lot) => ({ leg, lot, amount: lot.amount })))
    .toSorted((one, other) => (BigInt(one.lot.order) < BigInt(other.lot.order) ? -1 : 1));

const resultOf = (row: Pick<HoldRow, 'id' | 'holdNo' | 'status'>, legs: readonly HeldLeg[], replayed: boolean): HoldResult => ({
  holdId: row.id,
  holdNo: row.holdNo,
  status: row.status,
  replayed,
  legs: legs.map(({ accountId, amount, lots }) => ({ accountId, amount, lots: lots.map(lotAmount) })),
  lots: inOrderOfUse(legs).map(({ lot }) => lotAmount(lot)),
});

/** What a leg takes of each of its accounts. */
function shareOut(
  leg: Leg,
  accounts: readonly LockedAccount[],
  lots: ReturnType<typeof chooseLots> | null,
): { account: LockedAccount; amount: Fen; lots: ReturnType<typeof chooseLots> }[] {
  if (!lots) return [{ account: accounts[0]!, amount: leg.amount, lots: [] }];
  return accounts.flatMap((account) => {
    const own = lots.filter(({ lot }) => lot.accountId === account.id);
    return own.length === 0 ? [] : [{ account, amount: own.reduce((sum, one) => sum + one.amount, 0n), lots: own }];
  });
}

/**
 * Reserves what will go out of guarded accounts; lots are fixed now.
 * @throws Refusal SCM18001–18004, 18006–18008, 18010, 18041, 18043
 */
export async function hold(posting: Posting, facts: LedgerFacts, command: HoldCommand): Promise<HoldResult> {
  const { tx, now } = posting;
  const { businessKey, book, legs, expiresAt, ref, actor } = command;
  requireAmounts(legs.map(({ amount }) => amount));
  const refs = legs.flatMap(accountsOf);
  if (refs.some((one) => one.book !== book)) throw refuse(ledgerErrors.OTHER_BOOK);
  const types = refs.map((one) => facts.chart.accountType(book, one.type));
  if (legs.length === 0 || types.some((type) => !type || type.floorFen === null)) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  const total = legs.reduce((sum, { amount }) => sum + amount, 0n);
  const hash = payloadHash({
    book,
    legs: legs.map((leg) => ({ accounts: accountsOf(leg).map(refKey), amount: leg.amount, lots: leg.lots })),
    expiresAt,
    ref,
  });
  const { rows } = await sql<HoldRow>`
    insert into ledger_hold as h (
      hold_no, book, business_key, payload_hash, amount_fen, expires_at, ref_type, ref_id, ref_no, operator_id, operator_name, created_at
    )
      values (
        'LH' || ${dayOf(now).replaceAll('-', '')} || lpad((nextval('ledger_hold_no') % 100000000)::text, 8, '0'), ${book}, ${businessKey},
        ${hash}, ${String(total)}, ${expiresAt}::timestamptz, ${ref.type}, ${ref.id}, ${ref.no ?? null}, ${actor.id}, ${actor.name},
        ${now}::timestamptz
      )
      on conflict (book, business_key) do nothing
      returning ${holdColumns}`.execute(tx);
  const [made] = rows;
  if (!made) {
    const { rows: stored } = await sql<HoldRow>`
      select ${holdColumns} from ledger_hold h where h.book = ${book} and h.business_key = ${businessKey}`.execute(tx);
    if (stored[0]?.payloadHash !== hash) throw refuse(ledgerErrors.KEY_TAKEN);
    return resultOf(stored[0], await legsOf(tx, stored[0].id), true);
  }
  const accounts = await lockAccounts(tx, facts, refs, []);
  const before = remember(accounts);
  const lotted = accounts.all.filter((account) => account.lotted).map(({ id }) => id);
  const lots = await lockLots(tx, facts.chart, lotted, []);
  const shares = legs.flatMap((leg) => {
    const group = accountsOf(leg).map((one) => accountAt(accounts, one));
    for (const account of group) requireMoving(account, account.normalSide === 'D' ? 'C' : 'D', false);
    const ids = new Set(group.map(({ id }) => id));
    const isLotted = group.every((account) => account.lotted);
    if (!isLotted && group.length > 1) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
    const chosen = isLotted
      ? chooseLots(
          lots.all.filter(({ accountId }) => ids.has(accountId)),
          leg.amount,
          leg.lots ?? null,
          now,
        )
      : null;
    return shareOut(leg, group, chosen).map((share) => {
      const free = spendable(share.account)!;
      if (free < share.amount) throw refuse(ledgerErrors.NOT_ENOUGH, { need: yuan(share.amount), avail: yuan(free > 0n ? free : 0n) });
      share.account.held += share.amount;
      for (const { lot, amount } of share.lots) lot.held += amount;
      return share;
    });
  });
  await updateBalances(posting, changesSince(before, []));
  const byAccount = [...Map.groupBy(shares, ({ account }) => account.id)].map(([accountId, own]) => ({
    accountId,
    amount: own.reduce((sum, one) => sum + one.amount, 0n),
  }));
  await sql`
    insert into ledger_hold_leg (hold_id, account_id, amount_fen)
      select ${made.id}, *
        from unnest(
          ${byAccount.map(({ accountId }) => accountId)}::bigint[], ${byAccount.map(({ amount }) => String(amount))}::bigint[]
        )`.execute(tx);
  await writeMoves(
    posting,
    // In the order of use, whatever account they belong to: captures follow it.
    shares
      .flatMap((share) => share.lots)
      .toSorted((one, other) => byUse(one.lot, other.lot))
      .map(({ lot, amount }) => ({ lotId: lot.id, kind: 'HOLD' as const, remaining: 0n, held: amount, transferId: null, holdId: made.id })),
  );
  return resultOf(made, await legsOf(tx, made.id), false);
}

/** @throws Refusal SCM18020 */
async function lockHold(tx: Tx, id: string): Promise<HoldRow> {
  const { rows } = await sql<HoldRow>`select ${holdColumns} from ledger_hold h where h.id = ${id} for update`.execute(tx);
  if (!rows[0]) throw refuse(ledgerErrors.NO_HOLD);
  return rows[0];
}

function overRefusal(row: HoldRow): Refusal {
  if (row.status === 'TIMED_OUT') return refuse(ledgerErrors.HOLD_TIMED_OUT);
  return refuse(ledgerErrors.HOLD_OVER, { 状态: holdStates.label(row.status).replace(/^已/, '') });
}

const leftOf = (row: HoldRow): Fen => BigInt(row.amountFen) - BigInt(row.capturedFen) - BigInt(row.releasedFen);

/** What each leg gives of an amount: of lots the first ones used, among all accounts of the hold; then legs without lots in their order. */
function firstLegs(legs: readonly HeldLeg[], amount: Fen): { leg: HeldLeg; amount: Fen; lots: HeldLot[] }[] {
  const { first } = firstOf(
    [...inOrderOfUse(legs), ...legs.filter(({ lotted }) => !lotted).map((leg) => ({ leg, lot: null, amount: leg.left }))],
    amount,
  );
  return [...Map.groupBy(first, ({ leg }) => leg)].map(([leg, parts]) => ({
    leg,
    amount: parts.reduce((sum, part) => sum + part.amount, 0n),
    lots: parts.flatMap((part) => (part.lot ? [{ ...part.lot, amount: part.amount }] : [])),
  }));
}

async function closeLegs(
  tx: Tx,
  holdId: string,
  captured: readonly { leg: HeldLeg; amount: Fen }[],
  released: readonly { leg: HeldLeg; amount: Fen }[],
) {
  const rows = [
    ...captured.map(({ leg, amount }) => ({ id: leg.accountId, captured: amount, released: 0n })),
    ...released.map(({ leg, amount }) => ({ id: leg.accountId, captured: 0n, released: amount })),
  ].filter((row) => row.captured + row.released > 0n);
  await sql`
    update ledger_hold_leg l set captured_fen = l.captured_fen + s.captured, released_fen = l.released_fen + s.released
      from (select account_id, sum(captured)::bigint as captured, sum(released)::bigint as released
              from unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map((row) => String(row.captured))}::bigint[],
                     ${rows.map((row) => String(row.released))}::bigint[]) as u (account_id, captured, released) group by account_id) s
     where l.hold_id = ${holdId} and l.account_id = s.account_id`.execute(tx);
}

/** Frees what a hold still keeps. The accounts may be locked by this transaction already. */
async function free(
  posting: Posting,
  facts: LedgerFacts,
  row: HoldRow,
  to: { status: Exclude<HoldState, 'PENDING'>; key: string | null; reason: string | null },
): Promise<Fen> {
  const { tx, now } = posting;
  const legs = (await legsOf(tx, row.id)).filter(({ left }) => left > 0n);
  const accounts = await lockAccounts(
    tx,
    facts,
    [],
    legs.map(({ accountId }) => accountId),
  );
  const before = remember(accounts);
  for (const { accountId, left } of legs) accountAt(accounts, { id: accountId }).held -= left;
  await lockLots(
    tx,
    facts.chart,
    [],
    legs.flatMap(({ lots }) => lots.map(({ lotId }) => lotId)),
  );
  await updateBalances(posting, changesSince(before, []));
  await writeMoves(
    posting,
    legs.flatMap(({ lots }) =>
      lots.map(({ lotId, amount }) => ({ lotId, kind: 'UNHOLD' as const, remaining: 0n, held: -amount, transferId: null, holdId: row.id })),
    ),
  );
  await closeLegs(
    tx,
    row.id,
    [],
    legs.map((leg) => ({ leg, amount: leg.left })),
  );
  const freed = legs.reduce((sum, { left }) => sum + left, 0n);
  await sql`
    update ledger_hold
      set released_fen = released_fen + ${String(freed)}, status = ${to.status}, release_key = ${to.key}, release_reason = ${to.reason},
        closed_at = ${now}::timestamptz
      where id = ${row.id}`.execute(tx);
  return freed;
}

export interface CaptureCommand {
  holdId: string;
  businessKey: string;
  type: string;
  amount: Fen;
  credit: readonly Leg[];
  /** Frees what then remains. */
  final: boolean;
  ref: Reference;
  memo?: string;
  actor: Actor;
}

/**
 * Turns a part of a hold into a transfer, out of the lots that it fixed, in their order; also after they expired or the account was frozen.
 * @throws Refusal SCM18005–18008, 18010, 18020–18023, 18030
 */
export async function capture(posting: Posting, facts: LedgerFacts, command: CaptureCommand): Promise<TransferResult> {
  const { tx, now } = posting;
  requireAmounts([command.amount]);
  const row = await lockHold(tx, command.holdId);
  const legs = await legsOf(tx, row.id);
  const { businessKey, type, credit, ref, memo, actor } = command;
  const base = halfPlanOf(
    facts.chart,
    { businessKey, book: row.book, type, debit: [], credit, ref, actor, ...(memo !== undefined && { memo }) },
    now,
  );
  const declared = facts.chart.transferType(row.book, type);
  if (legs.some((leg) => !(leg.normalSide === 'C' ? declared?.debit : declared?.credit)?.includes(leg.accountType)))
    throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  requireBalance(
    command.amount,
    command.credit.reduce((sum, { amount }) => sum + amount, 0n),
  );
  const taken = firstLegs(legs, command.amount);
  const lines = taken.map(({ leg, amount, lots }): PlanLine => ({
    account: { id: leg.accountId },
    side: leg.normalSide === 'C' ? 'D' : 'C',
    amount,
    lots: leg.lotted ? { kind: 'CAPTURE', lots: lots.map(lotAmount) } : null,
    originalEntryId: null,
  }));
  const plan = {
    ...base,
    total: command.amount,
    hash: payloadHash({ hold: row.id, amount: command.amount, final: command.final, of: base.hash }),
    lines: [...lines, ...base.lines],
    holdId: row.id,
    // All of them are locked now, also those that a final capture frees afterwards.
    unheld: legs.map((leg) => ({ accountId: leg.accountId, amount: taken.find((one) => one.leg === leg)?.amount ?? 0n })),
    outOfFrozen: true,
  };
  // Sent again: what it did then, whatever became of the hold since.
  const known = await sql`select from ledger_transfer where book = ${row.book} and business_key = ${command.businessKey}`.execute(tx);
  if (known.rows.length > 0) return (await replays(tx, [plan])).get(plan)!;
  if (row.status !== 'PENDING') throw overRefusal(row);
  if (command.amount > leftOf(row)) throw refuse(ledgerErrors.TOO_MUCH_CAPTURED, { x: yuan(leftOf(row)) });
  const [result] = await postPlans(posting, facts, [plan]);
  await closeLegs(tx, row.id, taken, []);
  const left = leftOf(row) - command.amount;
  await sql`
    update ledger_hold set captured_fen = captured_fen + ${String(command.amount)}, status = ${left === 0n ? 'CAPTURED' : 'PENDING'},
           closed_at = ${left === 0n ? now : null}::timestamptz where id = ${row.id}`.execute(tx);
  if (command.final && left > 0n) await free(posting, facts, row, { status: 'CAPTURED', key: null, reason: null });
  return result!;
}

/**
 * Frees a hold. The same key again answers the same.
 * @throws Refusal SCM18020, 18021, 18023
 */
export async function release(
  posting: Posting,
  facts: LedgerFacts,
  command: { holdId: string; businessKey: string; reason: string; actor: Actor },
): Promise<HoldResult> {
  const { tx } = posting;
  const row = await lockHold(tx, command.holdId);
  const replayed = row.releaseKey === command.businessKey;
  if (!replayed) {
    if (row.status !== 'PENDING') throw overRefusal(row);
    const status = BigInt(row.capturedFen) > 0n ? 'CAPTURED' : 'RELEASED';
    await free(posting, facts, row, { status, key: command.businessKey, reason: command.reason });
  }
  return resultOf(await lockHold(tx, row.id), await legsOf(tx, row.id), replayed);
}

/**
 * Takes all locks of captures and releases that follow in this transaction, in the one order of locks: the holds, the accounts of all of
 * them with those that captures are going to credit, their lots. Each of the calls then finds its locks taken.
 * @param credited accounts that are there
 */
export async function lockHolds({ tx }: Pick<Posting, 'tx'>, facts: LedgerFacts, ids: readonly string[], credited: readonly AccountRef[]) {
  await sql`select from ledger_hold where id = any(${[...ids]}::bigint[]) order by id for update`.execute(tx);
  await lockAllOf(tx, facts, ids, credited);
}

/** Accounts and lots of several holds in the one order of locks, before each of them is worked on. */
async function lockAllOf(tx: Tx, facts: LedgerFacts, ids: readonly string[], credited: readonly AccountRef[]): Promise<void> {
  const { rows: legs } = await sql<{
    accountId: string;
  }>`select distinct account_id from ledger_hold_leg where hold_id = any(${ids}::bigint[])`.execute(tx);
  await lockAccounts(
    tx,
    facts,
    credited,
    legs.map(({ accountId }) => accountId),
  );
  const { rows: lots } = await sql<{ lotId: string }>`
    select distinct lot_id from ledger_lot_move where hold_id = any(${ids}::bigint[])`.execute(tx);
  await lockLots(
    tx,
    facts.chart,
    [],
    lots.map(({ lotId }) => lotId),
  );
}

/** Holds whose time is over, in the order of their ids, behind the one that was seen last. */
export async function overdueHolds(db: Db, now: Instant, { after, limit }: { after: string; limit: number }) {
  const { rows } = await sql<{ id: string; businessKey: string }>`
    select id, business_key from ledger_hold where status = 'PENDING' and expires_at < ${now}::timestamptz and id > ${after}::bigint
     order by id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Frees holds whose time is over, those that nobody else works on: the first ones, or of those that are named.
 * @returns how many
 */
export async function timeOutHolds(posting: Posting, facts: LedgerFacts, limit: number, holdIds?: readonly string[]): Promise<number> {
  const { rows } = await sql<HoldRow>`
    select ${holdColumns} from ledger_hold h where h.status = 'PENDING' and h.expires_at < ${posting.now}::timestamptz
       ${holdIds ? sql`and h.id = any(${[...holdIds]}::bigint[])` : sql``}
     order by h.expires_at limit ${limit} for update skip locked`.execute(posting.tx);
  await lockAllOf(
    posting.tx,
    facts,
    rows.map(({ id }) => id),
    [],
  );
  for (const row of rows) {
    const status = BigInt(row.capturedFen) > 0n ? 'CAPTURED' : 'TIMED_OUT';
    const freed = await free(posting, facts, row, { status, key: `ledger:timeout:${row.id}`, reason: '超时' });
    await posting.publish(holdTimedOut, row.id, {
      holdId: row.id,
      businessKey: row.businessKey,
      refType: row.refType,
      refId: row.refId,
      releasedFen: Number(freed),
    });
  }
  return rows.length;
}
