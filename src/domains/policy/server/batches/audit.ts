import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { randomInt } from 'node:crypto';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { plusMs } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { batchMachine, type batchActions } from '../../contract/batchDictionaries.ts';
import { auditInsuredBatch } from '../../contract/calls/batches.ts';
import { policyErrors } from '../../contract/errors.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { lockPolicies } from '../access.ts';
import { json, own } from '../database.ts';
import { refuseHindered } from '../endorsements/undo.ts';
import { type BatchRecord, batchRecords, CONFIRM_HOURS, requireNoBatch } from './records.ts';
import { startParsing } from './add.ts';
import { applyJob } from './applying/applyJob.ts';
import { removeHidden } from './applying/applyRows.ts';
import { changesOf, impactOf, touchedPolicies } from './impact.ts';
import { eraseMade } from './parsing/newPolicies.ts';
import { stateOf } from './rows.ts';
import { moveBatch } from './settle.ts';
import { batchHindrances, undoJob } from './applying/undoJob.ts';

interface Asked {
  kernel: Kernel;
  ctx: CommandContext;
  batch: BatchRecord;
  opinion: string;
  impactHash: string | undefined;
  confirmRepeat: boolean;
  confirmToken: string | undefined;
}
interface Done {
  batch: BatchRecord;
  confirmToken?: string;
}

const todoOf = (batch: BatchRecord) => `policy.batch:${batch.id}:audit`;
const linkOf = (batch: BatchRecord) => `/inventoryListManagement?batchId=${batch.id}`;

/** @throws Refusal SCM90031 before anything else is looked at */
const requireStart = (batch: BatchRecord, action: (typeof batchActions)[number]) => {
  if (!batchMachine.canStart(action, batch.state))
    throw refuse(platformErrors.WRONG_STATE, { state: batchMachine.states[batch.state].label });
};

/** Whoever decides about a list neither uploaded nor changed it nor handed it in. @throws Refusal SCM13010 */
const requireOther = ({ tx, staff }: CommandContext, { id, makerId, createdBy }: BatchRecord) =>
  requireAnother(tx, staff, { targetType: 'policy.batch', targetId: id, contributors: [makerId, createdBy] }, policyErrors.OWN_ENDORSEMENT);

/** The impact as it stands, which must be the one that was looked at. @throws Refusal SCM13024 */
async function seenImpact({ ctx, batch, impactHash }: Asked) {
  const now = await impactOf(ctx.tx, batch, ctx.today);
  if (now.impact.stale || impactHash !== now.impactHash) throw refuse(policyErrors.IMPACT_CHANGED);
  if (now.impact.blocking.length > 0) {
    const [first] = now.impact.blocking;
    throw refuse(policyErrors.IMPACT_CHANGED, {
      message: `${first!.name}已有赔付案件${first!.refNo}，请重新校验清单`,
      data: { blocking: now.impact.blocking },
    });
  }
  return now;
}

async function apply(
  { kernel, ctx, batch }: Asked,
  action: 'approve' | 'submitAtOnce' | 'resume',
  changes: object,
  opinion: string,
): Promise<Done> {
  const policyIds = await touchedPolicies(ctx.tx, batch.id);
  await lockPolicies(ctx.tx, policyIds);
  await requireNoBatch(ctx.tx, policyIds, batch.id);
  const acting = action === 'submitAtOnce' ? { ...ctx, requirePermission: () => {} } : ctx;
  const moved = await moveBatch(acting, batch, action, changes, opinion);
  await ctx.enqueue(applyJob(kernel), { batchId: batch.id }, { singletonKey: batch.id });
  return { batch: moved };
}

const actions: Record<(typeof batchActions)[number], (asked: Asked) => Promise<Done>> = {
  async parse({ kernel, ctx, batch }) {
    return { batch: await startParsing(kernel, ctx, batch) };
  },

  async submit(asked) {
    const { kernel, ctx, batch, opinion } = asked;
    if (changesOf(batch) === 0) throw refuse(policyErrors.NOTHING_TO_DO);
    if (batch.warnRows > 0) throw refuse(policyErrors.WARNINGS_OPEN, { n: batch.warnRows });
    const { impact, impactHash } = await seenImpact(asked);
    if (impact.sameFileBatchNo !== null && !asked.confirmRepeat)
      throw refuse(policyErrors.FILE_APPLIED, { no: impact.sameFileBatchNo, n: changesOf(batch) });
    if (batch.backdatedRows > 0 && opinion === '') throw refuseField('opinion', '有追溯生效的行，请填写说明');
    await own(ctx.tx)
      .updateTable('policyInsuredBatch')
      .set({ impact: json(impact) })
      .where('id', '=', batch.id)
      .execute();
    const maker = { makerId: ctx.staff.userId, makerName: ctx.staff.displayName, checkerId: null, impactHash };
    if (impact.auditReasons.length === 0) return apply(asked, 'submitAtOnce', maker, opinion);
    const moved = await moveBatch(ctx, batch, 'submit', maker, opinion);
    await kernel.ports.notices.addTodo(
      ctx.tx,
      {
        businessKey: todoOf(batch),
        title: `清单批次${batch.batchNo}待审核`,
        body: impact.auditReasons.join('；'),
        link: linkOf(batch),
        permission: may['batch.audit'].code,
      },
      ctx.now,
    );
    return { batch: moved };
  },

  async approve(asked) {
    const { kernel, ctx, batch, opinion } = asked;
    requireStart(batch, 'approve');
    await requireOther(ctx, batch);
    const { impactHash } = await seenImpact({ ...asked, impactHash: asked.impactHash ?? batch.impactHash ?? '' });
    await kernel.ports.notices.closeTodo(ctx.tx, todoOf(batch), ctx.now);
    return apply(asked, 'approve', { checkerId: ctx.staff.userId, impactHash }, opinion);
  },

  async reject({ kernel, ctx, batch, opinion }) {
    requireStart(batch, 'reject');
    await requireOther(ctx, batch);
    await kernel.ports.notices.closeTodo(ctx.tx, todoOf(batch), ctx.now);
    return { batch: await moveBatch(ctx, batch, 'reject', {}, opinion) };
  },

  async resume(asked) {
    return apply(asked, 'resume', { failure: null }, '');
  },

  async discard({ ctx, batch, opinion }) {
    const moved = await moveBatch(ctx, batch, 'discard', {}, opinion);
    if (batch.state === 'APPLY_FAILED') await removeHidden(ctx, batch.id);
    await eraseMade(ctx, batch.id);
    return { batch: moved };
  },

  async askUndo({ kernel, ctx, batch, opinion }) {
    requireStart(batch, 'askUndo');
    refuseHindered(await batchHindrances(ctx, batch.id));
    const confirmToken = String(randomInt(10_000_000, 99_999_999));
    const moved = await moveBatch(
      ctx,
      batch,
      'askUndo',
      {
        undoAskedBy: ctx.staff.userId,
        undoAskedAt: ctx.now,
        undoToken: kernel.secrets.blindIndex('policy.undo', confirmToken),
        undoReason: opinion.trim(),
      },
      opinion,
    );
    return { batch: moved, confirmToken };
  },

  async undo({ kernel, ctx, batch, opinion, confirmToken }) {
    requireStart(batch, 'undo');
    if (batch.undoAskedBy === null || batch.undoAskedAt === null) throw refuseField('action', '请先由一人申请整批撤销');
    if (batch.undoAskedBy === ctx.staff.userId) throw refuse(policyErrors.OWN_ENDORSEMENT, { message: '申请人不能确认自己申请的整批撤销' });
    const given = confirmToken === undefined ? null : kernel.secrets.blindIndex('policy.undo', confirmToken);
    if (given !== batch.undoToken || plusMs(batch.undoAskedAt, CONFIRM_HOURS * 3_600_000) < ctx.now)
      throw refuseField('confirmToken', '确认码不正确或已超过24小时，请重新申请');
    const policyIds = await touchedPolicies(ctx.tx, batch.id);
    await lockPolicies(ctx.tx, policyIds);
    await requireNoBatch(ctx.tx, policyIds, batch.id);
    refuseHindered(await batchHindrances(ctx, batch.id));
    const moved = await moveBatch(ctx, batch, 'undo', { undoToken: null }, opinion);
    await ctx.enqueue(undoJob(kernel), { batchId: batch.id }, { singletonKey: batch.id });
    return { batch: moved };
  },
};

/** Everything that somebody does with a list after it was read. */
export const auditBatch = (kernel: Kernel) =>
  command(auditInsuredBatch, async ({ batchId, version, action, impactHash, opinion, confirmRepeat, confirmToken }, ctx) => {
    const batch = await batchRecords.lockVersion(ctx, batchId, version);
    requireStart(batch, action);
    const done = await actions[action]({ kernel, ctx, batch, opinion: opinion.trim(), impactHash, confirmRepeat, confirmToken });
    return { ...stateOf(ctx, done.batch), confirmToken: done.confirmToken ?? null };
  });
