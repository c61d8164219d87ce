import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { AccountRef, Actor, Ledger, Posting } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import { merchantPayable, revenue } from '../chart.ts';
import { captureHold, costOf, releaseHold, type CaptureCommand, type Captured, type HoldRecord, type Spending } from './capture.ts';
import { findCard } from './readCard.ts';

// Several holds in one transaction. The ledger wants all locks of a transaction in one order, so they are taken before the first hold is
// worked on: the holds by their ids, their cards, then what the ledger keeps of all of them together.

async function lockTogether(use: Pick<Posting, 'tx'>, holdIds: readonly string[]) {
  const ids = [...new Set(holdIds)];
  const holds = await own(use.tx)
    .selectFrom('cardHold')
    .select(['id', 'cardId', 'kind', 'state', 'ledgerHoldId'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (holds.length < ids.length) throw refuse(platformErrors.NOT_FOUND, { message: '预占不存在或已删除' });
  await own(use.tx)
    .selectFrom('cardCard')
    .select('id')
    .where(
      'id',
      'in',
      holds.map(({ cardId }) => cardId),
    )
    .orderBy('id')
    .forUpdate()
    .execute();
  return holds;
}
type Locked = Awaited<ReturnType<typeof lockTogether>>;

const ledgerHolds = (holds: Locked) => holds.flatMap(({ ledgerHoldId }) => ledgerHoldId ?? []);

/** Accounts that captures of these holds post to, opened where they are not there yet. */
async function creditedBy(use: Posting, ledger: Ledger, holds: Locked): Promise<AccountRef[]> {
  const merchants = await own(use.tx)
    .selectFrom('cardHoldLine')
    .select(['merchantId', 'merchantName'])
    .distinctOn('merchantId')
    .where(
      'holdId',
      'in',
      holds.map(({ id }) => id),
    )
    .orderBy('merchantId')
    .execute();
  const wanted = merchants.map(({ merchantId, merchantName }) => ({ ref: merchantPayable(merchantId), ownerName: merchantName }));
  if (holds.some(({ kind }) => kind === 'STORED_VALUE')) wanted.push({ ref: revenue, ownerName: '平台' });
  for (const { cardId, kind } of holds) {
    if (kind === 'STORED_VALUE') continue;
    const { rules } = await findCard(use.tx, { cardId });
    wanted.push({ ref: costOf(rules.funder), ownerName: rules.funderName });
  }
  const once = [...new Map(wanted.map((one) => [JSON.stringify(one.ref), one])).values()];
  await ledger.openAccounts(use, once);
  return once.map(({ ref }) => ref);
}

/**
 * Turns several holds of one order into write-offs, all of them or none, as the last call of a transaction. Sent again it answers what it
 * did.
 * @returns in the order of the commands
 * @throws Refusal as `captureHold`
 */
export async function captureHolds(use: Spending, ledger: Ledger, commands: readonly CaptureCommand[]): Promise<Captured[]> {
  if (commands.length === 0) return [];
  const holds = await lockTogether(
    use,
    commands.map(({ holdId }) => holdId),
  );
  const open = holds.filter(({ state }) => state === 'HELD');
  if (open.length > 0) await ledger.lockHolds(use, ledgerHolds(open), await creditedBy(use, ledger, open));
  const done: Captured[] = [];
  for (const command of commands) done.push(await captureHold(use, ledger, command));
  return done;
}

/**
 * Frees several holds, all of them or none. Those that are free already stay so.
 * @throws Refusal SCM90031 where one was written off
 */
export async function releaseHolds(
  use: Posting,
  ledger: Ledger,
  { holdIds, ...how }: { holdIds: readonly string[]; reason: string; by: Actor },
): Promise<HoldRecord[]> {
  if (holdIds.length === 0) return [];
  const holds = await lockTogether(use, holdIds);
  const open = holds.filter(({ state }) => state === 'HELD');
  if (open.length > 0) await ledger.lockHolds(use, ledgerHolds(open));
  const done: HoldRecord[] = [];
  for (const holdId of holdIds) done.push(await releaseHold(use, ledger, { holdId, ...how }));
  return done;
}
