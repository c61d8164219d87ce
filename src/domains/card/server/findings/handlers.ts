import { refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  assignFinding,
  closeFinding,
  exportFindingList,
  fixFinding,
  queryFindingList,
  runInvariant,
} from '../../contract/calls/findings.ts';
import { invariantGuides, invariants } from '../../contract/useDictionaries.ts';
import { findingMachine } from '../../contract/useStates.ts';
import { refreshCard } from '../cards/projection.ts';
import { own } from '../database.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { unscoped } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { lookAll } from './invariants.ts';

export const findingList = listOf(queryFindingList)
  .from(({ db }) => own(db).selectFrom('cardFinding as f'))
  .with({
    where: { invariantCode: 'f.invariantCode', status: 'f.status' },
    id: 'f.id',
    last: { of: 'f.status', groups: [['CLOSED']] },
    sorts: { invariantCode: 'f.invariantCode', foundAt: 'f.foundAt' },
    bounded: 'findings are what the nightly look found wrong: some dozens at most',
    select: (rows) =>
      rows
        .select(['f.id', 'f.invariantCode', 'f.subjectType', 'f.subjectId', 'f.subject', 'f.expected', 'f.actual', 'f.status'])
        .select(['f.ownerName as owner', 'f.fixNote', 'f.foundAt', 'f.version']),
    present: (rows, { has }) =>
      rows.map((row) => ({
        ...row,
        invariantCode: invariants.schema.parse(row.invariantCode),
        guide: invariantGuides[invariants.schema.parse(row.invariantCode)],
        allowedActions: findingMachine.allowed(row.status, has).filter((action) => action !== 'fix' || row.invariantCode === 'I9'),
      })),
  });
export const findingExport = listExport(findingList, {
  call: exportFindingList,
  title: '卡异常数据',
  routeKey: 'storedCardBatchManage.findings',
});

const findingRecords = recordOf((db) => own(db).selectFrom('cardFinding as f').selectAll('f')).with({
  noun: '异常',
  type: 'card.finding',
  id: 'f.id',
  scope: unscoped,
});
type Row = Awaited<ReturnType<typeof findingRecords.lock>>;
async function move(ctx: CommandContext, row: Row, action: 'assign' | 'fix' | 'close', opinion: string, more: object) {
  const status = await moveState(ctx, findingMachine, { targetType: 'card.finding', targetId: row.id, action, from: row.status, opinion });
  const after = await own(ctx.tx)
    .updateTable('cardFinding')
    .set((eb) => ({ status, version: eb('version', '+', 1), ...more, ...(status === 'CLOSED' && { closedAt: ctx.now }) }))
    .where('id', '=', row.id)
    .returning(['id', 'status', 'version'])
    .executeTakeFirstOrThrow();
  return { ...actionAnswer(ctx, findingMachine, { ...after, state: after.status }), state: after.status };
}

export const assign = command(assignFinding, async ({ findingId, version, ownerId }, ctx) => {
  const row = await findingRecords.lockVersion(ctx, findingId, version);
  const owner = ownerId ?? ctx.staff.userId;
  const name = await ctx.nameOf(owner);
  if (name === null) throw refuseField('ownerId', '负责人不存在');
  return move(ctx, row, 'assign', '', { ownerId: owner, ownerName: name });
});

/** The card's row is written again from the books, under its lock. */
export const fix = (kernel: Kernel) =>
  command(fixFinding, async ({ findingId, version }, ctx) => {
    const row = await findingRecords.lockVersion(ctx, findingId, version);
    if (row.invariantCode !== 'I9') throw refuseField('findingId', '该检查项不能自动修复，请按处理建议核对');
    await own(ctx.tx).selectFrom('cardCard').select('id').where('id', '=', row.subjectId).forUpdate().execute();
    await refreshCard(ctx.tx, ledgerOf(kernel), row.subjectId, ctx.now);
    return move(ctx, row, 'fix', '', { fixNote: '已按账簿重建卡余额' });
  });

export const close = command(closeFinding, async ({ findingId, version, fixNote }, ctx) =>
  move(ctx, await findingRecords.lockVersion(ctx, findingId, version), 'close', fixNote, { fixNote }),
);

export const run = (kernel: Kernel) => command(runInvariant, ({ codes }, ctx) => lookAll(ctx, ledgerOf(kernel), codes));

export const nightly = (kernel: Kernel): JobDeclaration => ({
  name: 'card.invariants',
  label: '卡账务每日检查',
  cron: '40 2 * * *',
  async run(_data, ctx) {
    const failures = isolateFailures(ctx);
    for (const code of invariants.codes) {
      if (ctx.signal.aborted) break;
      await failures.run(`${code} ${invariants.label(code)}`, () =>
        ctx.transaction(({ tx }) => lookAll({ tx, now: ctx.now }, ledgerOf(kernel), [code])),
      );
    }
    failures.throwIfAny();
  },
});
