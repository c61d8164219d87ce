import { lockWithin } from '#kernel/server/record/lockWithin.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addRecordText, addTreatment, delRecordText, delTreatment, modifyRecordText, modifyTreatment } from '../../contract/calls/ehr.ts';
import { paragraphs, treatmentKinds } from '../../contract/dictionaries.ts';
import { lockEntry, lockPatient, type Seen } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles } from '../files.ts';
import { TARGET } from '../persons/save.ts';
import { publishRecordChanged } from './changed.ts';
import { lockDiagnosis } from './diagnoses.ts';

/** The operation log names the kind and the act, never the medical text. */
const note = (ctx: CommandContext, seen: Seen, kind: 'TREATMENT' | 'TEXT', what: string, act: string) => {
  ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
  ctx.changed([{ path: kind.toLowerCase(), label: what, before: null, after: act }]);
  return publishRecordChanged(ctx, seen.id, kind, ctx.now);
};

async function lockTreatment(ctx: CommandContext, id: string) {
  const rows = ownTx(ctx.tx).selectFrom('patientTreatment').selectAll().where('id', '=', id).where('voidedAt', 'is', null);
  const { row, place } = await lockWithin(
    rows,
    { key: ({ diagnosisId }) => diagnosisId, lock: (diagnosisId) => lockDiagnosis(ctx, diagnosisId) },
    () => refuse(platformErrors.NOT_FOUND, { message: '治疗记录不存在或已作废' }),
  );
  return { row, seen: place.seen };
}
const lockText = (ctx: CommandContext, id: string) =>
  lockEntry(
    ctx,
    ownTx(ctx.tx).selectFrom('patientRecordText').selectAll().where('id', '=', id).where('voidedAt', 'is', null),
    '病情资料不存在或已作废',
  );

export const treatmentHandlers: readonly Handler[] = [
  command(addTreatment, async ({ diagnosisId, ...entered }, ctx) => {
    const { seen } = await lockDiagnosis(ctx, diagnosisId);
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'treatment', entered.fileIds);
    const row = await ownTx(ctx.tx)
      .insertInto('patientTreatment')
      .values({ ...entered, diagnosisId, ...createdColumns(ctx) })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await note(ctx, seen, 'TREATMENT', `治疗·${treatmentKinds.label(entered.kind)}`, '新增');
    return row;
  }),
  command(modifyTreatment, async ({ id, version, ...entered }, ctx) => {
    const { row, seen } = await lockTreatment(ctx, id);
    await requireVersion(ctx, 'patient.treatment', row, version, () => ({ startOn: row.startOn, endOn: row.endOn }));
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'treatment', entered.fileIds);
    await ownTx(ctx.tx)
      .updateTable('patientTreatment')
      .set((eb) => ({ ...entered, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await note(ctx, seen, 'TREATMENT', `治疗·${treatmentKinds.label(entered.kind)}`, '修改');
    return { id, version: row.version + 1 };
  }),
  command(delTreatment, async ({ id, version, reason }, ctx) => {
    const { row, seen } = await lockTreatment(ctx, id);
    await requireVersion(ctx, 'patient.treatment', row, version, () => ({ startOn: row.startOn, endOn: row.endOn }));
    await ownTx(ctx.tx)
      .updateTable('patientTreatment')
      .set((eb) => ({ voidedAt: ctx.now, voidReason: reason, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await note(ctx, seen, 'TREATMENT', `治疗·${treatmentKinds.label(row.kind)}`, `作废：${reason}`);
    return { id };
  }),
  command(addRecordText, async ({ patientId, ...entered }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'text', entered.fileIds);
    const row = await ownTx(ctx.tx)
      .insertInto('patientRecordText')
      .values({ ...entered, patientId: seen.id, ...createdColumns(ctx) })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow();
    await note(ctx, seen, 'TEXT', paragraphs.label(entered.paragraphCode), '新增');
    return row;
  }),
  command(modifyRecordText, async ({ id, version, ...entered }, ctx) => {
    const { row, seen } = await lockText(ctx, id);
    await requireVersion(ctx, 'patient.recordText', row, version, () => ({ text: row.text }));
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'text', entered.fileIds);
    await ownTx(ctx.tx)
      .updateTable('patientRecordText')
      .set((eb) => ({ ...entered, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await note(ctx, seen, 'TEXT', paragraphs.label(row.paragraphCode), '修改');
    return { id, version: row.version + 1 };
  }),
  command(delRecordText, async ({ id, version, reason }, ctx) => {
    const { row, seen } = await lockText(ctx, id);
    await requireVersion(ctx, 'patient.recordText', row, version, () => ({ text: row.text }));
    await ownTx(ctx.tx)
      .updateTable('patientRecordText')
      .set((eb) => ({ voidedAt: ctx.now, voidReason: reason, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await note(ctx, seen, 'TEXT', paragraphs.label(row.paragraphCode), `作废：${reason}`);
    return { id };
  }),
];
