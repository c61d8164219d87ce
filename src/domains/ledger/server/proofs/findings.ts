import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Context } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import type { Book, FindingCode } from '../../contract/books.ts';
import { assignLedgerFinding, explainLedgerFinding, rebuildLedgerProjection, resolveLedgerFinding } from '../../contract/calls/proofs.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { findingStates, type FindingState } from '../../contract/states.ts';
import { requireBook } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { pageLink } from '../books.ts';
import { isStillFound } from './prove.ts';
import { rebuildBalance, rebuildLots } from './rebuild.ts';

const TARGET = 'ledger.finding';

interface Finding {
  id: string;
  book: Book;
  findingCode: FindingCode;
  objectKey: string;
  accountId: string | null;
  status: FindingState;
  version: number;
}

/** Differences in what was posted itself are mended, never only explained. */
const MUST_BE_MENDED: readonly FindingCode[] = ['P1', 'P2', 'P3', 'P4'];
/** Differences of what is computed from the entries. */
const OF_PROJECTIONS: readonly FindingCode[] = ['P5', 'P6', 'P7'];

/** The buttons of the page. */
export const allowedOn = ({ status, findingCode }: Pick<Finding, 'status' | 'findingCode'>, has: Context['has']): string[] =>
  findingStates
    .allowed(status, (code) => has(code))
    .filter((action) => (action === 'explain' ? !MUST_BE_MENDED.includes(findingCode) : true))
    .filter((action) => (action === 'rebuild' ? OF_PROJECTIONS.includes(findingCode) : true));

async function lockFinding(ctx: CommandContext, id: string, version: number): Promise<Finding> {
  const { rows } = await sql<Finding>`
    select id, book, finding_code, object_key, account_id, status, version from ledger_finding where id = ${id} for update`.execute(ctx.tx);
  const row = rows[0];
  if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '平衡差异不存在' });
  requireBook(ctx, row.book);
  await requireVersion(ctx, TARGET, row, version, () => ({ status: row.status }));
  return row;
}

const move = (ctx: CommandContext, row: Finding, action: keyof typeof findingStates.transitions, opinion?: string) =>
  moveState(ctx, findingStates, {
    targetType: TARGET,
    targetId: row.id,
    targetNo: `CY${row.id.padStart(6, '0')}`,
    action,
    from: row.status,
    opinion,
  });

const answer = (row: Finding, status: FindingState) => ({ id: row.id, version: row.version + 1, status });
/** One a version: who is asked anew gets something new to do. */
const todoOf = (id: string, version: number) => `ledger.finding:${id}:${version}`;

export const assign = (kernel: Kernel) =>
  command(assignLedgerFinding, async ({ id, version, userId }, ctx) => {
    const row = await lockFinding(ctx, id, version);
    const able = await checkersFor(ctx.tx, { permission: may['proof.manage'].code, today: ctx.today, limit: 500 });
    if (!able.some((one) => one.userId === userId)) throw refuseField('userId', '请选择有差异处理权限的人员');
    const to = await move(ctx, row, 'assign');
    await ownTx(ctx.tx)
      .updateTable('ledgerFinding')
      .set({ status: to, ownerUserId: userId, version: version + 1 })
      .where('id', '=', id)
      .execute();
    await kernel.ports.notices.closeTodo(ctx.tx, todoOf(row.id, row.version), ctx.now);
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: todoOf(id, version + 1),
        title: `请处理平衡差异CY${id.padStart(6, '0')}`,
        userIds: [userId],
        ...pageLink(kernel, row.book),
      },
      ctx.now,
    );
    return answer(row, to);
  });

async function end(
  kernel: Kernel,
  ctx: CommandContext,
  row: Finding,
  status: FindingState,
  facts: { resolution: string; adjustmentId?: string },
): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('ledgerFinding')
    .set({ status, closedAt: ctx.now, version: row.version + 1, ...facts })
    .where('id', '=', row.id)
    .execute();
  await kernel.ports.notices.closeTodo(ctx.tx, todoOf(row.id, row.version), ctx.now);
}

/** 处理完成: names the adjustment that mended it; a later proof that does not find it any more ends it too. */
export const resolve = (kernel: Kernel) =>
  command(resolveLedgerFinding, async ({ id, version, adjustNo, opinion }, ctx) => {
    const row = await lockFinding(ctx, id, version);
    const adjustment = await own(ctx.tx)
      .selectFrom('ledgerAdjustment')
      .select(['id', 'status'])
      .where('adjustNo', '=', adjustNo.toUpperCase())
      .where('book', '=', row.book)
      .executeTakeFirst();
    if (adjustment?.status !== 'POSTED') throw refuseField('adjustNo', '请填写本账簿已入账的调账单号');
    const to = await move(ctx, row, 'resolve', opinion);
    await end(kernel, ctx, row, to, { resolution: opinion || `调账${adjustNo.toUpperCase()}`, adjustmentId: adjustment.id });
    return answer(row, to);
  });

export const explain = (kernel: Kernel) =>
  command(explainLedgerFinding, async ({ id, version, opinion }, ctx) => {
    const row = await lockFinding(ctx, id, version);
    if (MUST_BE_MENDED.includes(row.findingCode)) throw refuse(ledgerErrors.MUST_BE_MENDED);
    const to = await move(ctx, row, 'explain', opinion);
    await end(kernel, ctx, row, to, { resolution: opinion });
    return answer(row, to);
  });

/** 重建余额投影: balance, holds and lots of the account from what was posted; where the check then finds nothing, the difference ends. */
export const rebuild = (kernel: Kernel) =>
  command(rebuildLedgerProjection, async ({ id, version }, ctx) => {
    const row = await lockFinding(ctx, id, version);
    if (row.accountId === null || !OF_PROJECTIONS.includes(row.findingCode))
      throw refuse(platformErrors.WRONG_STATE, { state: '' }, { message: '该类差异不能通过重建余额投影处理，请制作调账' });
    await move(ctx, row, 'rebuild');
    await rebuildBalance(ctx.tx, row.accountId);
    await rebuildLots(ctx.tx, row.accountId);
    const left = await isStillFound(ctx.tx, row.book, row.findingCode, row.objectKey);
    if (left) return { id, version, status: row.status };
    await end(kernel, ctx, row, 'RESOLVED', { resolution: '已重建余额投影' });
    return answer(row, 'RESOLVED');
  });
