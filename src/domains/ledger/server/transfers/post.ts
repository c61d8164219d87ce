import { Refusal } from '#kernel/contract/errors.ts';
import { transferPosted } from '#events/ledger.ts';
import { applyPlan, type Made } from './apply.ts';
import type { LedgerFacts } from '../accounts/knownAccounts.ts';
import type { EntryResult, PostCommand, Posting, TransferResult } from '../commands.ts';
import type { LockedAccount, LockedAccounts } from '../accounts/lockAccounts.ts';
import { lockLots } from '../lots/lockLots.ts';
import { planOf, type Plan } from './plan.ts';
import { beginPosting } from './begin.ts';
import { replays, type WrittenTransfer } from './transfers.ts';
import { insertLots, writeEntries, writeMoves, type BalanceChange } from './write.ts';

/** Commands of one `postMany` at most. */
export const MOST_AT_ONCE = 500;

/** The refusal with the number of its command, by which the caller finds it. */
function at(error: unknown, index: number): unknown {
  if (!(error instanceof Refusal)) return error;
  return new Refusal(error.code, error.message, {
    ...(error.fields && { fields: error.fields }),
    data: { index },
    params: { ...error.params },
  });
}

function lotsOf(plans: readonly Plan[], accounts: LockedAccounts): { accountIds: string[]; lotIds: string[] } {
  const lines = plans.flatMap((plan) => plan.lines);
  return {
    accountIds: lines.flatMap(({ lots }) => (lots?.kind === 'CHOOSE' ? lots.from.flatMap((ref) => accounts.of(ref)?.id ?? []) : [])),
    lotIds: lines.flatMap(({ lots }) => (lots && 'lots' in lots ? lots.lots.map(({ lotId }) => lotId) : [])),
  };
}

type Before = Pick<LockedAccount, 'debit' | 'credit' | 'held' | 'seq'>;
export const remember = (accounts: LockedAccounts): Map<LockedAccount, Before> =>
  new Map(accounts.all.map((account) => [account, { debit: account.debit, credit: account.credit, held: account.held, seq: account.seq }]));

/** What became of the accounts since they were locked. */
export const changesSince = (before: ReadonlyMap<LockedAccount, Before>, made: readonly Made[]): BalanceChange[] =>
  [...before]
    .map(([account, was]) => ({
      account,
      debit: account.debit - was.debit,
      credit: account.credit - was.credit,
      held: account.held - was.held,
      entries: made.flatMap(({ entries }) => entries).filter((entry) => entry.account === account).length,
    }))
    .filter(({ debit, credit, held }) => debit !== 0n || credit !== 0n || held !== 0n);

/** The drawn ids, handed out to the entries in their order. */
function numbered(all: readonly Made[], drawn: readonly string[]): string[][] {
  let next = 0;
  return all.map(({ entries }) => {
    const own = drawn.slice(next, next + entries.length);
    next += entries.length;
    return own;
  });
}

/**
 * Posts plans: each key makes one transfer, all of them or none. The last thing in the business transaction.
 * @throws Refusal with `data: {index}` of the plan
 */
export async function postPlans(posting: Posting, facts: LedgerFacts, plans: readonly Plan[]): Promise<TransferResult[]> {
  const { tx, now } = posting;
  const { transfers, accounts, entryIds } = await beginPosting(posting, facts, plans);
  const fresh = plans.flatMap((plan, index) => (transfers[index] ? [{ plan, index, transfer: transfers[index] }] : []));
  const results = new Map<Plan, TransferResult>();
  if (fresh.length > 0) {
    const todo = fresh.map(({ plan }) => plan);
    const before = remember(accounts);
    const wanted = lotsOf(todo, accounts);
    const lots = await lockLots(tx, facts.chart, wanted.accountIds, wanted.lotIds);
    const made = fresh.map(({ plan, index, transfer }) => {
      try {
        return { plan, transfer, made: applyPlan(plan, accounts, lots, now) };
      } catch (error) {
        throw at(error, index);
      }
    });
    const all = made.map((one) => one.made);
    await insertLots(
      posting,
      made.flatMap((one) => one.made.grants.map((grant) => ({ ...grant, transferId: one.transfer.id }))),
    );
    await writeMoves(
      posting,
      made.flatMap((one) => one.made.moves.map((move) => ({ ...move, transferId: one.transfer.id, holdId: one.plan.holdId }))),
    );
    const ids = numbered(all, entryIds);
    await publishPosted(posting, made);
    await writeEntries(
      posting,
      made.map((one, at) => ({ transferId: one.transfer.id, made: one.made, ids: ids[at]! })),
      changesSince(before, all),
    );
    for (const [at, one] of made.entries()) results.set(one.plan, resultOf(one.transfer, one.made, ids[at]!));
  }
  const again = plans.filter((plan) => !results.has(plan));
  try {
    for (const [plan, result] of await replays(tx, again)) results.set(plan, result);
  } catch (error) {
    throw again.length === 1 ? at(error, plans.indexOf(again[0]!)) : error;
  }
  return plans.map((plan) => results.get(plan)!);
}

const resultOf = (transfer: WrittenTransfer, made: Made, entryIds: readonly string[]): TransferResult => ({
  transferId: transfer.id,
  transferNo: transfer.transferNo,
  replayed: false,
  entries: made.entries.map((entry, index): EntryResult => ({
    entryId: entryIds[index]!,
    accountNo: entry.account.accountNo,
    side: entry.side,
    amount: entry.amount,
    balanceAfter: entry.balanceAfter,
    lots: entry.lots,
  })),
});

const publishPosted = (posting: Posting, made: readonly { plan: Plan; transfer: WrittenTransfer }[]): Promise<void> =>
  posting.publishMany(
    transferPosted,
    made.map(({ plan, transfer }) => ({
      aggregateId: transfer.id,
      payload: {
        transferId: transfer.id,
        transferNo: transfer.transferNo,
        book: plan.book,
        transferType: plan.type,
        refType: plan.ref.type,
        refId: plan.ref.id,
        totalFen: Number(plan.total),
        postingDate: plan.day,
      },
    })),
  );

/**
 * Posts commands, all of them or none; the accounts that they share are locked once.
 * @throws Refusal SCM18001–18010, SCM18030, SCM18041, SCM18043, with `data: {index}` of the command
 */
export async function postMany(posting: Posting, facts: LedgerFacts, commands: readonly PostCommand[]): Promise<TransferResult[]> {
  if (commands.length > MOST_AT_ONCE) throw new Error(`The ledger posts ${MOST_AT_ONCE} commands at once at most`);
  const plans = commands.map((command, index) => {
    try {
      return planOf(facts.chart, command, posting.now);
    } catch (error) {
      throw at(error, index);
    }
  });
  return postPlans(posting, facts, plans);
}
