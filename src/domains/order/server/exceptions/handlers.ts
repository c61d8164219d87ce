import { sql, type SqlBool } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { scopedResource } from '#kernel/server/auth/scope.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import {
  claimException,
  claimNextException,
  ignoreException,
  queryExceptionCounts,
  queryExceptionList,
  queryExceptionOwners,
  resolveException,
  transferException,
} from '../../contract/calls/exceptions.ts';
import { orderErrors } from '../../contract/errors.ts';
import { exceptionMachine } from '../../contract/exceptionStates.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { EXCEPTION_TARGET } from './open.ts';

const ofOrder = scopedResource({ region: 'free', insurer: { column: 'o.insurerId' }, channel: 'free', own: 'free' });
const exceptionRecords = recordOf((db) =>
  own(db).selectFrom('orderException as x').innerJoin('orderOrder as o', 'o.id', 'x.orderId').selectAll('x'),
).with({ noun: '异常工单', type: EXCEPTION_TARGET, id: 'x.id', scope: ofOrder, locks: 'x' });
type ExceptionRecord = Awaited<ReturnType<typeof exceptionRecords.get>>;

const exceptionList = listOf(queryExceptionList)
  .from(({ db, staff }) => exceptionRecords.seen(db, staff).leftJoin('orderFulfilment as f', 'f.id', 'x.fulfilmentId'))
  .with({
    where: {
      exceptionNo: (_eb, text) => sql<SqlBool>`x.exception_no = ${text.toUpperCase()}`,
      orderId: 'x.orderId',
      orderNo: (_eb, text) => sql<SqlBool>`o.order_no = ${text.toUpperCase()}`,
      type: 'x.type',
      state: 'x.state',
      mine: (_eb, wanted, { staff }) => (wanted ? sql<SqlBool>`x.owner_id = ${staff.userId}` : undefined),
      overSla: (_eb, wanted, { now }) =>
        wanted ? sql<SqlBool>`(x.state in ('OPEN', 'HANDLING') and x.due_at <= ${now}::timestamptz)` : undefined,
    },
    id: 'x.id',
    sorts: { exceptionNo: 'x.exceptionNo', createdAt: 'x.createdAt' },
    last: { of: 'x.state', groups: [['RESOLVED'], ['IGNORED']] },
    select: (rows) =>
      rows
        .select(['x.id', 'x.exceptionNo', 'x.orderId', 'o.orderNo', 'x.fulfilmentId', 'f.fulfilmentNo', 'x.type', 'x.detail'])
        .select(['x.ownerId', 'x.ownerName', 'x.createdAt', 'x.dueAt', 'x.state', 'x.resolution', 'x.closedAt', 'x.version']),
    present: (rows, { has }) => rows.map((row) => ({ ...row, allowedActions: exceptionMachine.allowed(row.state, has) })),
  });

const counts = query(queryExceptionCounts, async (_input, { db, staff }) => {
  const found = await exceptionRecords
    .seen(db, staff)
    .where('x.state', 'in', ['OPEN', 'HANDLING'])
    .select(['x.type', sql<number>`count(*)::int`.as('n')])
    .select(sql<number>`(count(*) filter (where x.owner_id = ${staff.userId}))::int`.as('mine'))
    .groupBy('x.type')
    .execute();
  return {
    counts: Object.fromEntries(found.map(({ type, n }) => [type, n])),
    total: found.reduce((sum, { n }) => sum + n, 0),
    mine: found.reduce((sum, { mine }) => sum + mine, 0),
  };
});

const { code: permission } = may['exception.handle'];
const MOST_PEOPLE = 500;

type Action = 'claim' | 'transfer' | 'resolve' | 'ignore';
interface Change {
  ownerId?: string;
  ownerName?: string;
  resolution?: string;
  closedAt?: string;
}
async function move(ctx: CommandContext, row: ExceptionRecord, action: Action, change: Change, opinion?: string) {
  const state = await moveState(ctx, exceptionMachine, {
    targetType: EXCEPTION_TARGET,
    targetId: row.id,
    targetNo: row.exceptionNo,
    action,
    from: row.state,
    opinion,
  });
  return own(ctx.tx)
    .updateTable('orderException')
    .set((eb) => ({ ...change, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
const answerOf = (ctx: CommandContext, row: Pick<ExceptionRecord, 'id' | 'state' | 'version'>) => actionAnswer(ctx, exceptionMachine, row);
const asOwner = (ctx: CommandContext) => ({ ownerId: ctx.staff.userId, ownerName: ctx.staff.displayName });
/** @throws Refusal SCM16001 for one that somebody else handles */
function requireOwner(ctx: CommandContext, { state, ownerId, ownerName }: ExceptionRecord): void {
  if (state === 'HANDLING' && ownerId !== ctx.staff.userId) throw refuse(orderErrors.HELD_BY_OTHER, { user: ownerName ?? '' });
}

const claim = command(claimException, async ({ exceptionId, version }, ctx) => {
  const row = await exceptionRecords.lockVersion(ctx, exceptionId, version, () => ({}));
  requireOwner(ctx, row);
  return answerOf(ctx, await move(ctx, row, 'claim', asOwner(ctx)));
});

/** What is due first is taken first; what somebody else is taking just now is passed over. @throws Refusal SCM16003 */
const claimNext = command(claimNextException, async ({ type }, ctx) => {
  let waiting = exceptionRecords.seen(ctx.tx, ctx.staff).selectAll('x').where('x.state', '=', 'OPEN');
  if (type !== undefined) waiting = waiting.where('x.type', '=', type);
  const row = await waiting.orderBy('x.dueAt').orderBy('x.id').limit(1).forUpdate('x').skipLocked().executeTakeFirst();
  if (!row) throw refuse(orderErrors.NOTHING_WAITS, { message: '暂无可领取的异常工单' });
  return { ...answerOf(ctx, await move(ctx, row, 'claim', asOwner(ctx))), orderId: row.orderId };
});

const transfer = command(transferException, async ({ exceptionId, version, toUserId, opinion }, ctx) => {
  const row = await exceptionRecords.lockVersion(ctx, exceptionId, version, ({ ownerId }) => ({ toUserId: ownerId, opinion: '' }));
  requireOwner(ctx, row);
  const to = (await checkersFor(ctx.tx, { permission, today: ctx.today, limit: MOST_PEOPLE })).find(({ userId }) => userId === toUserId);
  if (!to || toUserId === ctx.staff.userId) throw refuseField('toUserId', '接收人不能处理异常工单，请重新选择');
  return answerOf(ctx, await move(ctx, row, 'transfer', { ownerId: toUserId, ownerName: to.displayName }, opinion));
});

/** To whom one may be handed over. */
const owners = query(queryExceptionOwners, async ({ keyword }, ctx) => ({
  people: (await checkersFor(ctx.db, { permission, today: ctx.today, ...(keyword !== undefined && { keyword }) }))
    .filter(({ userId }) => userId !== ctx.staff.userId)
    .map(({ userId, displayName, roleName }) => ({ userId, displayName, roleName })),
}));

const close = (ctx: CommandContext, resolution: string): Change => ({ resolution, closedAt: ctx.now });
const resolve = command(resolveException, async ({ exceptionId, version, opinion }, ctx) => {
  const row = await exceptionRecords.lockVersion(ctx, exceptionId, version, () => ({ opinion: '' }));
  requireOwner(ctx, row);
  return answerOf(ctx, await move(ctx, row, 'resolve', close(ctx, opinion), opinion));
});
const ignore = command(ignoreException, async ({ exceptionId, version, opinion }, ctx) => {
  const row = await exceptionRecords.lockVersion(ctx, exceptionId, version, () => ({ opinion: '' }));
  return answerOf(ctx, await move(ctx, row, 'ignore', close(ctx, opinion), opinion));
});

export const exceptionHandlers = [exceptionList.handler, counts, claim, claimNext, owners, transfer, resolve, ignore];
