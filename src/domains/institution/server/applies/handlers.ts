import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { addHospitalApply, applyHospital, queryHospitalAuditDetail, withdrawHospitalApply } from '../../contract/applyCalls.ts';
import { applyMachine } from '../../contract/states.ts';
import { applyRecords } from '../access.ts';
import { requireRegion } from '#kernel/server/auth/scope.ts';
import { machineViewer } from '#kernel/server/auth/viewer.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import { audit } from './audit.ts';
import { desk } from './desk.ts';
import { applyList, loadApply } from './read.ts';
import { applyTodoKey, submitApply } from './submit.ts';

/** Requests for hospitals and their audit under a lease. */
export const applyHandlers = (kernel: Kernel): readonly Handler[] => [
  applyList.handler,
  query(queryHospitalAuditDetail, ({ applyId }, ctx) => loadApply(ctx, applyId, kernel.secrets)),
  command(addHospitalApply, async (request, ctx) => {
    const { id, applyNo, state, version, topScore } = await submitApply(ctx, kernel, request, {
      type: 'STAFF',
      id: ctx.staff.userId,
      name: ctx.staff.displayName,
    });
    return { id, applyNo, state: state, version, topScore };
  }),
  command(applyHospital, async ({ facts, evidenceFileIds, applicantType, applicantId, applicantName, applicantMobile }, ctx) => {
    requireRegion(machineViewer(ctx), facts.adcode, 'facts.adcode');
    const { id, applyNo } = await submitApply(
      ctx,
      kernel,
      { applyType: 'CREATE', hospitalId: null, payload: facts, evidenceFileIds, reason: '' },
      { type: applicantType, id: applicantId, name: applicantName, mobile: applicantMobile },
    );
    return { id, applyNo };
  }),
  ...desk.handlers(),
  audit(kernel),
  command(withdrawHospitalApply, async ({ applyId, version }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    // Somebody else's application is none of his.
    if (apply.applicantType !== 'STAFF' || apply.applicantId !== ctx.staff.userId) throw refuse(platformErrors.NOT_FOUND);
    await requireVersion(ctx, 'institution.hospitalApply', apply, version, () => ({}));
    const state = await moveState(ctx, applyMachine, {
      targetType: 'institution.hospitalApply',
      targetId: applyId,
      targetNo: apply.applyNo,
      action: 'withdraw',
      from: apply.state,
    });
    const row = await ownTx(ctx.tx)
      .updateTable('institutionHospitalApply')
      .set((eb) => ({ state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', applyId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    await kernel.ports.notices.closeTodo(ctx.tx, applyTodoKey(applyId), ctx.now);
    return { ...actionAnswer(ctx, applyMachine, row), state };
  }),
];
