import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { LotMoveKind, Side } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import type { Fen, LotGrant, LotPick } from '../commands.ts';
import { posted, spendable, type LockedAccount, type LockedAccounts } from '../accounts/lockAccounts.ts';
import { isExpired, takeLots, type Lot, type Taken } from '../lots/lots.ts';
import type { LotAmount, Place, Plan, PlanLine } from './plan.ts';

/** Lots that this transaction holds; changed in memory until they are written. */
export interface LockedLots {
  readonly all: readonly Lot[];
  byId(id: string): Lot | undefined;
}

export interface Move {
  lotId: string;
  kind: LotMoveKind;
  remaining: Fen;
  held: Fen;
}
export interface Grant {
  accountId: string;
  grant: LotGrant;
  amount: Fen;
}
/** An entry as it will be written. */
export interface MadeEntry {
  account: LockedAccount;
  side: Side;
  amount: Fen;
  seq: bigint | null;
  balanceAfter: Fen | null;
  originalEntryId: string | null;
  lots: (LotAmount & { expiresAt: Instant | null })[];
}
/** What a plan does, before it is written. */
export interface Made {
  entries: MadeEntry[];
  moves: Move[];
  grants: Grant[];
}

const least = (one: Fen, other: Fen): Fen => (one < other ? one : other);

/** @throws Refusal SCM18004 */
export function accountAt(accounts: LockedAccounts, place: Place): LockedAccount {
  const account = 'id' in place ? accounts.byId(place.id) : accounts.of(place);
  if (!account) throw refuse(ledgerErrors.NO_ACCOUNT);
  return account;
}

const isOutflow = (account: LockedAccount, side: Side) => account.normalSide !== side;

/** @throws Refusal SCM18002, SCM18003 */
export function requireMoving(account: LockedAccount, side: Side, outOfFrozen: boolean): void {
  if (account.status === 'CLOSED') throw refuse(ledgerErrors.CLOSED);
  if (account.status === 'FROZEN' && isOutflow(account, side) && !outOfFrozen) throw refuse(ledgerErrors.FROZEN);
}

/** The lots that the caller chose. @throws Refusal SCM18043 */
function picked(lots: readonly Lot[], picks: readonly LotPick[], now: Instant): Taken[] {
  return picks.map(({ refType, refId, amount }) => {
    const lot = lots.find((one) => one.refType === refType && one.refId === refId && !isExpired(one, now));
    if (!lot || amount <= 0n || lot.remaining - lot.held < amount) throw refuse(ledgerErrors.LOT_NOT_ENOUGH);
    return { lot, amount };
  });
}

/**
 * Lots out of which an amount goes: those chosen, else by their order.
 * @throws Refusal SCM18041 where expired lots would have been enough, SCM18043, SCM18001
 */
export function chooseLots(lots: readonly Lot[], amount: Fen, picks: readonly LotPick[] | null, now: Instant): Taken[] {
  if (picks) {
    const taken = picked(lots, picks, now);
    if (taken.reduce((sum, one) => sum + one.amount, 0n) !== amount) throw refuse(ledgerErrors.LOT_NOT_ENOUGH);
    return taken;
  }
  const { taken, missing, expired } = takeLots(lots, amount, now);
  if (missing === 0n) return taken;
  if (expired >= missing) throw refuse(ledgerErrors.LOTS_EXPIRED, { x: yuan(expired) });
  throw refuse(ledgerErrors.NOT_ENOUGH, { need: yuan(amount), avail: yuan(amount - missing) });
}

/** One debit or credit in memory. @throws Refusal SCM18001 where the floor would be passed */
function enter(account: LockedAccount, side: Side, amount: Fen, originalEntryId: string | null): MadeEntry {
  const free = spendable(account);
  if (free !== null && isOutflow(account, side) && free < amount)
    throw refuse(ledgerErrors.NOT_ENOUGH, { need: yuan(amount), avail: yuan(free > 0n ? free : 0n) });
  if (side === 'D') account.debit += amount;
  else account.credit += amount;
  const guarded = account.floor !== null;
  if (guarded) account.seq += 1n;
  return {
    account,
    side,
    amount,
    seq: guarded ? account.seq : null,
    balanceAfter: guarded ? posted(account) : null,
    originalEntryId,
    lots: [],
  };
}

function moveLot(lot: Lot, kind: Move['kind'], remaining: Fen, held: Fen): Move {
  lot.remaining += remaining;
  lot.held += held;
  return { lotId: lot.id, kind, remaining, held };
}

function lotOf(lots: LockedLots, id: string): Lot {
  const lot = lots.byId(id);
  if (!lot) throw new Error(`The lot ${id} was not locked`);
  return lot;
}

function applyLine(made: Made, plan: Plan, line: PlanLine, accounts: LockedAccounts, lots: LockedLots, now: Instant): MadeEntry[] {
  const { side, amount, originalEntryId } = line;
  if (line.lots?.kind === 'CHOOSE') {
    const from = line.lots.from.map((ref) => accountAt(accounts, ref));
    for (const account of from) requireMoving(account, side, plan.outOfFrozen);
    const ids = new Set(from.map(({ id }) => id));
    const taken = chooseLots(
      lots.all.filter(({ accountId }) => ids.has(accountId)),
      amount,
      line.lots.picks,
      now,
    );
    // One entry per account that gave something, in the order of the group.
    return from.flatMap((account) => {
      const own = taken.filter(({ lot }) => lot.accountId === account.id);
      if (own.length === 0) return [];
      const entry = enter(
        account,
        side,
        own.reduce((sum, one) => sum + one.amount, 0n),
        originalEntryId,
      );
      for (const one of own) {
        entry.lots.push({ lotId: one.lot.id, amount: one.amount, expiresAt: one.lot.expiresAt });
        made.moves.push(moveLot(one.lot, 'CONSUME', -one.amount, 0n));
      }
      return [entry];
    });
  }
  const account = accountAt(accounts, line.account);
  requireMoving(account, side, plan.outOfFrozen);
  const entry = enter(account, side, amount, originalEntryId);
  if (!line.lots) return [entry];
  if (line.lots.kind === 'GRANT') {
    made.grants.push({ accountId: account.id, grant: line.lots.grant, amount });
    return [entry];
  }
  const { kind } = line.lots;
  for (const one of line.lots.lots) {
    const lot = lotOf(lots, one.lotId);
    if (kind !== 'RESTORE' && kind !== 'CAPTURE' && lot.remaining - lot.held < one.amount) throw refuse(ledgerErrors.LOT_NOT_ENOUGH);
    entry.lots.push({ ...one, expiresAt: lot.expiresAt });
    made.moves.push(
      kind === 'RESTORE' ? moveLot(lot, kind, one.amount, 0n) : moveLot(lot, kind, -one.amount, kind === 'CAPTURE' ? -one.amount : 0n),
    );
  }
  return [entry];
}

/**
 * What a plan does to the locked accounts and lots; they are changed in memory, so that the next plan sees it.
 * @throws Refusal SCM18001–04, SCM18041, SCM18043
 */
export function applyPlan(plan: Plan, accounts: LockedAccounts, lots: LockedLots, now: Instant): Made {
  const made: Made = { entries: [], moves: [], grants: [] };
  for (const { accountId, amount } of plan.unheld) {
    const account = accountAt(accounts, { id: accountId });
    account.held -= least(account.held, amount);
  }
  // What comes in first: an account may be debited by what the same transfer credits to it. They are written as they were said.
  const inFirst = plan.lines.toSorted((one, other) => Number(isOut(one, accounts)) - Number(isOut(other, accounts)));
  const entries = new Map(inFirst.map((line) => [line, applyLine(made, plan, line, accounts, lots, now)]));
  made.entries.push(...plan.lines.flatMap((line) => entries.get(line) ?? []));
  return made;
}

const isOut = (line: PlanLine, accounts: LockedAccounts): boolean => {
  const account = 'id' in line.account ? accounts.byId(line.account.id) : accounts.of(line.account);
  return account !== undefined && isOutflow(account, line.side);
};
