import { visitRecordCompleted } from '../../../../events/consultation.ts';
import { platformErrors, refuse } from '../../../../kernel/contract/errors.ts';
import { assertFresh } from '../../../../kernel/server/command/lock.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { command, type Handler } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import { confirmVisitRecord } from '../../contract/calls/participants.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { visitRecordMachine, type VisitRecordState } from '../../contract/states.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { sayJob } from '../groups/say.ts';
import { lockInquiry } from '../inquiries/rows.ts';
import { demandMine, mineDeed } from './enter.ts';

const TARGET = 'consultation.visitRecord';
interface Diagnosis { icd10: string; name: string; main: boolean }

/** The version that a confirmed correction replaces. */
async function supersede(ctx: Deed, inquiryId: string, id: string): Promise<void> {
  const tx = ownTx(ctx.tx);
  const old = await tx.selectFrom('consultationVisitRecord').select(['id', 'state', 'visitNo', 'version']).where('inquiryId', '=', inquiryId).where('current', '=', true).where('id', '<>', id).forUpdate().executeTakeFirst();
  if (!old) return;
  const state = await moveState(ctx, visitRecordMachine, { targetType: TARGET, targetId: old.id, targetNo: old.visitNo, action: 'supersede', from: old.state as VisitRecordState });
  await tx.updateTable('consultationVisitRecord').set({ state, current: false, version: old.version + 1, updatedAt: ctx.now }).where('id', '=', old.id).execute();
}

/** The doctor's word on the summary of his inquiry; confirmed, the patient reads it in the chat. */
export const recordHandlers = (kernel: Kernel): readonly Handler[] => [
  command(confirmVisitRecord, async ({ id, version, action, opinion }, asked) => {
    const tx = ownTx(asked.tx);
    const known = await tx.selectFrom('consultationVisitRecord').select('inquiryId').where('id', '=', id).executeTakeFirst();
    if (!known) throw refuse(platformErrors.NOT_FOUND);
    const { inquiry } = await lockInquiry(asked.tx, known.inquiryId);
    const record = await tx.selectFrom('consultationVisitRecord').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
    const mine = await demandMine(asked.tx, asked, inquiry.groupId ?? '');
    if (mine.role !== 'DOCTOR' || mine.operatorId !== inquiry.doctorOperatorId) throw refuse(errors.NOT_THE_DOCTOR);
    assertFresh({ seen: version, version: record.version, changedBy: null, current: { state: record.state, version: record.version } });
    const ctx = mineDeed(kernel, asked, mine);
    const state = await moveState(ctx, visitRecordMachine, { targetType: TARGET, targetId: id, targetNo: record.visitNo, action, from: record.state as VisitRecordState, opinion });
    if (action === 'back') {
      await tx.updateTable('consultationVisitRecord').set({ state, version: version + 1, updatedAt: ctx.now }).where('id', '=', id).execute();
      return { id, state, version: version + 1 };
    }
    await supersede(ctx, inquiry.id, id);
    await tx.updateTable('consultationVisitRecord').set({ state, current: true, confirmedBy: mine.operatorId, confirmedAt: ctx.now, version: version + 1, updatedAt: ctx.now }).where('id', '=', id).execute();
    const diagnoses = record.diagnoses as Diagnosis[];
    await ctx.publish(visitRecordCompleted, id, {
      visitRecordId: id, recordVersion: record.recordVersion, serverId: inquiry.id, serviceType: inquiry.serviceType, doctorId: inquiry.doctorId, patientId: inquiry.patientId, diagnoses, revisitOn: record.revisitOn, at: ctx.now,
    });
    if (inquiry.groupId !== null) {
      await ctx.enqueue(sayJob, {
        groupId: inquiry.groupId, clientMsgId: `record:${id}`, type: messageTypes.CUSTOM, sourceRef: `visitRecord:${id}`,
        payload: cardPayload({ businessID: 'visit_summary', v: 1, visitRecordId: id, diagnoses, advice: record.advice }),
      });
    }
    return { id, state, version: version + 1 };
  }),
];
