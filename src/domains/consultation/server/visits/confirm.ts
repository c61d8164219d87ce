import { visitRecordCompleted } from '#events/consultation.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { requireVersion, type Versioning } from '#kernel/server/record/requireVersion.ts';
import { cardPayload } from '../../contract/im/cards.ts';
import { messageTypes } from '../../contract/im/types.ts';
import { consultationErrors as errors } from '../../contract/errors.ts';
import { ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { sayJob } from '../groups/say.ts';
import { lockRecord, RECORD_TARGET, recordOf, type RecordRow } from './records.ts';
import { diagnosisText } from './rows.ts';
import { moveRecord } from './write.ts';

export interface Confirmation {
  id: string;
  version: number;
  action: 'confirm' | 'back';
  opinion?: string | undefined;
  /** Chat account number of the doctor who says it. */
  doctorOperatorId: string;
}

/**
 * The doctor's word on a submitted record: confirmed, it is what holds from now on, and an older version is superseded.
 * @throws Refusal SCM10052 for another doctor, SCM90031 where nothing waits for him, SCM90020 for going back without a reason.
 */
export async function confirmRecord(
  ctx: Deed & Versioning,
  { id, version, action, opinion, doctorOperatorId }: Confirmation,
): Promise<RecordRow> {
  const { record, inquiry } = await lockRecord(ctx.tx, id);
  if (inquiry.doctorOperatorId !== doctorOperatorId) throw refuse(errors.NOT_THE_DOCTOR);
  await requireVersion(ctx, RECORD_TARGET, record, version, () => ({ state: record.state }));
  if (action === 'back') return moveRecord(ctx, record, 'back', {}, { opinion });
  if (!record.current) await supersede(ctx, record.inquiryId);
  const confirmed = await moveRecord(
    ctx,
    record,
    'confirm',
    { current: true, confirmedBy: doctorOperatorId, confirmedAt: ctx.now },
    { opinion },
  );
  await ctx.publish(visitRecordCompleted, confirmed.id, {
    visitRecordId: confirmed.id,
    recordVersion: confirmed.recordVersion,
    serverId: inquiry.id,
    serviceType: inquiry.serviceType,
    doctorId: inquiry.doctorId,
    patientId: inquiry.patientId,
    diagnoses: confirmed.diagnoses,
    revisitOn: confirmed.revisitOn,
    at: ctx.now,
  });
  if (inquiry.groupId !== null) {
    const text = `就诊小结：${diagnosisText(confirmed.diagnoses) ?? '已确认'}`;
    await ctx.enqueue(sayJob, {
      groupId: inquiry.groupId,
      clientMsgId: `visit:${confirmed.id}`,
      type: messageTypes.CUSTOM,
      sourceRef: `visit:${confirmed.id}`,
      payload: cardPayload(
        {
          businessID: 'visit_summary',
          v: 1,
          visitRecordId: confirmed.id,
          diagnoses: confirmed.diagnoses,
          advice: confirmed.advice.slice(0, 500),
        },
        text.slice(0, 100),
      ),
    });
  }
  return confirmed;
}

/** The version that held until now steps back. */
async function supersede(ctx: Deed, inquiryId: string): Promise<void> {
  const row = await ownTx(ctx.tx)
    .selectFrom('consultationVisitRecord')
    .selectAll()
    .where('inquiryId', '=', inquiryId)
    .where('current', '=', true)
    .forUpdate()
    .executeTakeFirst();
  if (row) await moveRecord(ctx, recordOf(row), 'supersede', { current: false });
}
