import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { icd10 } from '#domains/identity/server/index.ts';
import { addDiagnosis, delDiagnosis, modifyDiagnosis } from '../../contract/calls/ehr.ts';
import { patientErrors } from '../../contract/errors.ts';
import { lockEntry, lockPatient, type Seen } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles } from '../files.ts';
import { TARGET } from '../persons/save.ts';
import { publishRecordChanged } from './changed.ts';
import { presentDiagnosis, presentTreatment } from './history.ts';

interface Entered {
  icd10: string;
  diagnosedAt: string;
  isPrimary: boolean;
  switchPrimary: boolean;
  fileIds: readonly string[];
}

/** Code with its name, day not in the future, the mark of the main diagnosis on one alone. */
async function prepare(
  ctx: CommandContext,
  seen: Seen,
  entered: Entered,
  exceptId: string | null,
): Promise<{ icd10: string; name: string }> {
  if (entered.diagnosedAt > ctx.today)
    throw refuse(patientErrors.DIAGNOSED_LATER, { fields: [{ path: 'diagnosedAt', message: patientErrors.DIAGNOSED_LATER.text }] });
  const code = entered.icd10.toUpperCase();
  const [known] = await icd10(ctx.tx, [code]);
  if (!known) throw refuseField('icd10', '诊断编码不存在，请从列表中选择');
  if (entered.isPrimary) {
    const tx = ownTx(ctx.tx);
    const held = await tx
      .selectFrom('patientDiagnosis')
      .select('id')
      .where('patientId', 'in', seen.groupIds)
      .where('isPrimary', '=', true)
      .where('voidedAt', 'is', null)
      .where('id', 'is distinct from', exceptId)
      .execute();
    if (held.length > 0 && !entered.switchPrimary) throw refuse(patientErrors.ONE_PRIMARY);
    if (held.length > 0)
      await tx
        .updateTable('patientDiagnosis')
        .set((eb) => ({ isPrimary: false, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
        .where(
          'id',
          'in',
          held.map(({ id }) => id),
        )
        .execute();
  }
  await attachFiles(ctx, ctx.staff.userId, seen.id, 'diagnosis', entered.fileIds);
  return { icd10: known.code, name: known.name };
}

export const lockDiagnosis = (ctx: CommandContext, id: string) =>
  lockEntry(
    ctx,
    ownTx(ctx.tx).selectFrom('patientDiagnosis').selectAll().where('id', '=', id).where('voidedAt', 'is', null),
    '诊断不存在或已作废',
  );

const named = (ctx: CommandContext, seen: Seen, act: string) => {
  ctx.target({ type: TARGET, id: seen.id, no: seen.patientNo });
  ctx.changed([{ path: 'diagnosis', label: '诊断', before: null, after: act }]);
  return publishRecordChanged(ctx, seen.id, 'DIAGNOSIS', ctx.now);
};

export const diagnosisHandlers: readonly Handler[] = [
  command(addDiagnosis, async ({ patientId, switchPrimary, ...entered }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    const code = await prepare(ctx, seen, { ...entered, switchPrimary }, null);
    const row = await ownTx(ctx.tx)
      .insertInto('patientDiagnosis')
      .values({
        ...entered,
        ...code,
        patientId: seen.id,
        verifiedBy: entered.source === 'PATIENT' ? null : ctx.staff.userId,
        ...createdColumns(ctx),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await named(ctx, seen, '新增');
    return presentDiagnosis(row, []);
  }),
  command(modifyDiagnosis, async ({ id, version, switchPrimary, ...entered }, ctx) => {
    const { row: before, seen } = await lockDiagnosis(ctx, id);
    await requireVersion(ctx, 'patient.diagnosis', before, version, () => ({ stage: before.stage, state: before.state }));
    const code = await prepare(ctx, seen, { ...entered, switchPrimary }, id);
    const row = await ownTx(ctx.tx)
      .updateTable('patientDiagnosis')
      .set((eb) => ({
        ...entered,
        ...code,
        verifiedBy: ctx.staff.userId,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const treatments = await ownTx(ctx.tx)
      .selectFrom('patientTreatment')
      .selectAll()
      .where('diagnosisId', '=', id)
      .where('voidedAt', 'is', null)
      .orderBy('startOn')
      .orderBy('id')
      .execute();
    await named(ctx, seen, '修改');
    return presentDiagnosis(row, treatments.map(presentTreatment));
  }),
  command(delDiagnosis, async ({ id, version, reason }, ctx) => {
    const { row, seen } = await lockDiagnosis(ctx, id);
    await requireVersion(ctx, 'patient.diagnosis', row, version, () => ({ stage: row.stage, state: row.state }));
    await ownTx(ctx.tx)
      .updateTable('patientDiagnosis')
      .set((eb) => ({
        voidedAt: ctx.now,
        voidReason: reason,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .execute();
    await named(ctx, seen, `作废：${reason}`);
    return { id };
  }),
];
