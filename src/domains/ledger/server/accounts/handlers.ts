import { sql } from 'kysely';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Context, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import {
  freezeLedgerAccount,
  queryLedgerAccountDetail,
  revealLedgerOwnerName,
  unfreezeLedgerAccount,
} from '../../contract/calls/accounts.ts';
import { accountStates, type AccountAction } from '../../contract/states.ts';
import { lockAccount } from './accounts.ts';
import { refOfAccount, requireAccount, type NamedAccount } from '../access.ts';
import { ledgerOf } from '../books.ts';
import { entryList } from '../transfers/entries.ts';
import { accountList } from './list.ts';

const TARGET = 'ledger.account';

type Viewing = Pick<Context, 'staff' | 'now' | 'today' | 'has'>;

async function rowOf(kernel: Kernel, db: Db | Tx, { staff, now, today, has }: Viewing, { book, accountNo }: NamedAccount) {
  const { rows } = await accountList(kernel).page({ db, staff, now, today, has, filter: { book, accountNo } }, { pageNo: 1, pageSize: 1 });
  return rows[0]!;
}

export const accountDetail = (kernel: Kernel) =>
  query(queryLedgerAccountDetail, async ({ accountNo }, ctx) => {
    const { db, staff, now, today, has } = ctx;
    const account = await requireAccount(db, ctx, accountNo);
    interface Facts {
      count: number;
      remainingFen: string;
      expiredFen: string;
      nextExpiry: string | null;
      openHolds: number;
    }
    const { rows } = await sql<Facts>`
      select count(*) filter (where l.expires_at is null or l.expires_at > ${now}::timestamptz)::int as count,
          coalesce(
            sum(l.remaining_fen) filter (where l.expires_at is null or l.expires_at > ${now}::timestamptz), 0
          )::text as remaining_fen,
          coalesce(sum(l.remaining_fen) filter (where l.expires_at <= ${now}::timestamptz), 0)::text as expired_fen,
          min(l.expires_at) filter (where l.expires_at > ${now}::timestamptz) as next_expiry,
          (
            select count(*)::int
              from ledger_hold_leg g
              join ledger_hold h on h.id = g.hold_id
              where g.account_id = ${account.id} and h.status = 'PENDING'
          ) as open_holds
        from ledger_lot l
        where l.account_id = ${account.id} and l.remaining_fen > 0`.execute(db);
    const { openHolds, ...lots } = rows[0]!;
    const entries = await entryList(kernel).page(
      { db, staff, now, today, has, filter: { book: account.book, accountNos: [account.accountNo] } },
      { pageNo: 1, pageSize: 10 },
    );
    return { account: await rowOf(kernel, db, ctx, account), lots, openHolds, entries: entries.rows };
  });

async function move(
  kernel: Kernel,
  ctx: CommandContext,
  input: { accountNo: string; version: number; opinion: string },
  action: AccountAction,
) {
  const ledger = ledgerOf(kernel);
  const account = await requireAccount(ctx.tx, ctx, input.accountNo);
  const ref = refOfAccount(account);
  const locked = await lockAccount(ctx.tx, ref);
  await requireVersion(ctx, TARGET, locked, input.version, () => ({ status: locked.status }));
  await moveState(ctx, accountStates, {
    targetType: TARGET,
    targetId: account.id,
    targetNo: account.accountNo,
    action,
    from: locked.status,
    opinion: input.opinion,
  });
  const act = { reason: input.opinion, actor: { id: ctx.staff.userId, name: ctx.staff.displayName } };
  await (action === 'freeze' ? ledger.freeze(ctx, ref, { ...act, byHand: true }) : ledger.unfreeze(ctx, ref, act));
  return rowOf(kernel, ctx.tx, ctx, account);
}

export const freezeAccount = (kernel: Kernel) => command(freezeLedgerAccount, (input, ctx) => move(kernel, ctx, input, 'freeze'));
export const unfreezeAccount = (kernel: Kernel) => command(unfreezeLedgerAccount, (input, ctx) => move(kernel, ctx, input, 'unfreeze'));

export const revealOwner = command(revealLedgerOwnerName, async ({ accountNo }, ctx) => {
  const account = await requireAccount(ctx.tx, ctx, accountNo);
  ctx.target({ type: TARGET, id: account.id, no: account.accountNo });
  return { ownerName: account.ownerName };
});
