import { Refusal } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, procedure, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { auditMedicineApply, batchAuditMedicineApply, withdrawMedicineApply } from '../../contract/calls/applies.ts';
import { applyTypes } from '../../contract/dictionaries.ts';
import { applyMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { decideApply, type Decision } from './decide.ts';

/** Decides and tells the maker. */
async function decideAndPublish(kernel: Kernel, ctx: CommandContext, decision: Decision) {
  const done = await decideApply(ctx, decision);
  if (decision.action !== 'withdraw' && done.makerId !== null) {
    const verdict = applyMachine.dictionary.label(done.state);
    await kernel.ports.notices.addResult(
      ctx.tx,
      {
        businessKey: `pharma.apply:${done.id}`,
        title: `${done.genericName}的${applyTypes.label(done.applyType)}申请${verdict}`,
        ...(decision.opinion ? { body: decision.opinion } : {}),
        link: `/medicineManagementTable?applyId=${done.id}`,
        userIds: [done.makerId],
      },
      ctx.now,
    );
  }
  return actionAnswer(ctx, applyMachine, done);
}

export const applyHandlers = (kernel: Kernel): readonly Handler[] => [
  command(auditMedicineApply, (input, ctx) => decideAndPublish(kernel, ctx, input)),
  command(withdrawMedicineApply, (input, ctx) => decideAndPublish(kernel, ctx, { ...input, action: 'withdraw' })),
  procedure(batchAuditMedicineApply, async ({ applyIds, action, opinion }, ctx) => {
    const known = await own(ctx.db).selectFrom('pharmaMedicineApply').select(['id', 'applyNo']).where('id', 'in', applyIds).execute();
    const numbers = new Map(known.map((row) => [row.id, row.applyNo]));
    const outcomes = [];
    // Each in a transaction of its own: a refused one leaves the others alone.
    for (const id of new Set(applyIds)) {
      const applyNo = numbers.get(id) ?? id;
      try {
        await ctx.transaction((writing) => decideAndPublish(kernel, writing, { id, version: null, action, opinion }));
        outcomes.push({ id, applyNo, ok: true, code: null, message: '成功' });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcomes.push({ id, applyNo, ok: false, code: error.code, message: error.message });
      }
    }
    return outcomes;
  }),
];
