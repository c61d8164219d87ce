import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { adverseDue } from '../../contract/rules/adverseDue.ts';
import { adverseMachine } from '../../contract/states.ts';
import { ownTx } from '../database.ts';

export interface ReportedReaction {
  taskId: string;
  patientId: string;
  medicineId: string;
  symptom: string;
  onsetOn: string | null;
  seriousness: 'GENERAL' | 'SERIOUS' | 'DEATH';
  outcome: string | null;
}

/** One report per follow-up task, however often it is reported. A reaction that the label does not name counts as new. */
export async function receiveReport(ctx: Acting, kernel: Kernel, reaction: ReportedReaction): Promise<string | null> {
  const tx = ownTx(ctx.tx);
  const medicine = await tx
    .selectFrom('pharmaMedicine')
    .select(['genericName', 'adverseReaction'])
    .where('id', '=', reaction.medicineId)
    .executeTakeFirst();
  const known = await tx.selectFrom('pharmaAdverseReport').select('id').where('sourceTaskId', '=', reaction.taskId).executeTakeFirst();
  if (!medicine || known) return null;
  const isNew = medicine.adverseReaction !== null && !medicine.adverseReaction.includes(reaction.symptom);
  const reportNo = await nextNumber(ctx.tx, 'BL', ctx.today);
  const made = await tx
    .insertInto('pharmaAdverseReport')
    .values({
      reportNo,
      medicineId: reaction.medicineId,
      patientId: reaction.patientId,
      sourceTaskId: reaction.taskId,
      seriousness: reaction.seriousness,
      isNew,
      descriptionCipher: kernel.secrets.encrypt([reaction.symptom, reaction.outcome].filter(Boolean).join('；转归：')),
      occurredOn: reaction.onsetOn,
      receivedAt: ctx.now,
      dueAt: adverseDue({ seriousness: reaction.seriousness, isNew, receivedAt: ctx.now }),
      state: 'RECEIVED',
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .onConflict((conflict) => conflict.column('sourceTaskId').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return null;
  await moveState(ctx, adverseMachine, {
    targetType: 'pharma.adverseReport',
    targetId: made.id,
    targetNo: reportNo,
    action: 'receive',
    from: 'RECEIVED',
  });
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: reportKey(made.id),
      title: `${medicine.genericName}收到不良反应报告${reportNo}，请转报`,
      link: '/pharmaceuticalEnterprises?tab=adverse',
      permission: pharmaPermissions['pv.edit'].code,
    },
    ctx.now,
  );
  return made.id;
}

export const reportKey = (id: string) => `pharma.adverse:${id}`;
