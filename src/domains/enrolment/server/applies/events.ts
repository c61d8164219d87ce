import { applyApproved, applyClosed, applyRejected, applySubmitted, applyWithdrawn } from '#events/enrolment.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { own } from '../database.ts';
import type { ApplyRecord } from './records.ts';

type Outcome = 'submitted' | 'approved' | 'rejected' | 'closed' | 'withdrawn';

/** The next number of what is told of one application; the caller has its row. */
async function nextSeq(ctx: Acting, { id }: ApplyRecord): Promise<number> {
  const { eventSeq } = await own(ctx.tx)
    .updateTable('enrolmentApply')
    .set((eb) => ({ eventSeq: eb('eventSeq', '+', 1) }))
    .where('id', '=', id)
    .returning('eventSeq')
    .executeTakeFirstOrThrow();
  return eventSeq;
}

/** Tells other domains what became of an application that was handed in; what never was is told to nobody. */
export async function publishApply(ctx: Acting, apply: ApplyRecord, outcome: Outcome): Promise<void> {
  const { id: applyId, applyNo, patientId, insuredItemId, submittedAt } = apply;
  if (submittedAt === null || patientId === null) return;
  const seq = await nextSeq(ctx, apply);
  const applicantWording = apply.applicantWording || null;
  if (outcome === 'closed' || outcome === 'withdrawn') {
    const event = outcome === 'closed' ? applyClosed : applyWithdrawn;
    return ctx.publish(event, applyId, { applyId, applyNo, patientId, insuredItemId, applicantWording, seq });
  }
  const payload = {
    applyId,
    applyNo,
    patientId,
    insuredItemId,
    productLine: apply.productLine,
    productId: apply.productId,
    insurerId: apply.insurerId,
    adcode: apply.adcode,
    submittedAt,
    decidedAt: outcome === 'submitted' ? null : ctx.now,
    firstRoundPass: outcome === 'approved' && apply.round === 1 && apply.supplementCount === 0,
    testUser: apply.testUser,
    seq,
    contractId: apply.contractId,
    applicantWording,
  };
  if (outcome === 'submitted') return ctx.publish(applySubmitted, applyId, payload);
  if (outcome === 'rejected') return ctx.publish(applyRejected, applyId, payload);
  const { icd10, diseaseName, firstDiagnosedOn, hospitalName } = apply;
  return ctx.publish(applyApproved, applyId, {
    ...payload,
    decidedAt: ctx.now,
    icd10,
    diseaseName,
    firstDiagnosedOn,
    hospitalName: hospitalName ?? '',
  });
}
