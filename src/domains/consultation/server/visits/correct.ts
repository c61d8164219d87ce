import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { visitRecordMachine } from '../../contract/states.ts';
import { json, ownTx } from '../database.ts';
import type { Deed } from '../deed.ts';
import { newestVersion, recordOf, type LockedRecord, type RecordRow } from './records.ts';
import { moveRecord } from './write.ts';

/** 更正: a next version begins as a draft with the same content; the old one holds until the doctor confirms the new one. */
export async function correctRecord(ctx: Deed, { record }: LockedRecord, opinion: string | undefined): Promise<RecordRow> {
  // Two corrections at once would leave two drafts: the second one goes on with the first's.
  if (record.recordVersion < (await newestVersion(ctx.tx, record.inquiryId)))
    throw refuse(platformErrors.WRONG_STATE, { state: `${visitRecordMachine.states[record.state].label}，已有更正版本` });
  await moveRecord(ctx, record, 'correct', {}, { opinion });
  const {
    inquiryId,
    visitTime,
    doctorId,
    patientId,
    chiefComplaint,
    presentIllness,
    pastHistory,
    allergy,
    advice,
    revisitOn,
    suggestionIds,
    inspectionIds,
  } = record;
  const row = await ownTx(ctx.tx)
    .insertInto('consultationVisitRecord')
    .values({
      inquiryId,
      recordVersion: record.recordVersion + 1,
      visitNo: await nextNumber(ctx.tx, 'JZ', ctx.today),
      current: false,
      visitTime,
      doctorId,
      patientId,
      chiefComplaint,
      presentIllness,
      pastHistory,
      allergy,
      diagnoses: json(record.diagnoses),
      advice,
      revisitOn,
      suggestionIds,
      inspectionIds,
      state: 'DRAFT',
      correctReason: opinion?.trim() ?? null,
      ...createdColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return recordOf(row);
}
