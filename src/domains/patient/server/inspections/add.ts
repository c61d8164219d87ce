import type { Acting } from '#kernel/server/command/acting.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { authorColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { indicatorAlerted } from '#events/patient.ts';
import type { InspectionKind, RecordSource } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { ageOn } from '../../contract/idNumber.ts';
import { inspectionMachine } from '../../contract/states.ts';
import type { Seen } from '../access.ts';
import { lockKeys, ownTx } from '../database.ts';
import { fileHash } from '../files.ts';
import { publishRecordChanged } from '../records/changed.ts';
import { indicatorsJson } from '../records/modules.ts';
import { measure, type Entered, type Measured } from './convert.ts';

export const TARGET = 'patient.inspection';

export interface NewInspection {
  kind: InspectionKind;
  itemName: string;
  hospitalName: string;
  inspectionTime: Instant;
  conclusion: string;
  fileIds: readonly string[];
  source: RecordSource;
  indicators: readonly Entered[];
  /** The report that was asked for. */
  inspectionId?: string | undefined;
}

/** The same file twice on one person is one report (SCM09043); the writers of a file wait for each other. */
export async function claimFiles(kernel: Kernel, tx: Tx, seen: Seen, inspectionId: string, fileIds: readonly string[]): Promise<void> {
  const files = await Promise.all(fileIds.map(async (fileId) => ({ fileId, sha256: await fileHash(kernel, tx, fileId) })));
  if (files.length === 0) return;
  if (new Set(files.map(({ sha256 }) => sha256)).size < files.length) throw refuseField('fileIds', '同一文件重复选择，请检查');
  await lockKeys(
    tx,
    files.map(({ sha256 }) => `report:${seen.id}:${sha256}`),
  );
  const there = await ownTx(tx)
    .selectFrom('patientInspectionFile as f')
    .innerJoin('patientInspection as i', 'i.id', 'f.inspectionId')
    .select('i.inspectionNo')
    .where('f.patientId', 'in', seen.groupIds)
    .where('f.live', '=', true)
    .where(
      'f.sha256',
      'in',
      files.map(({ sha256 }) => sha256),
    )
    .where('i.id', '<>', inspectionId)
    .executeTakeFirst();
  if (there) throw refuse(patientErrors.SAME_REPORT, { inspectionNo: there.inspectionNo });
  await ownTx(tx)
    .insertInto('patientInspectionFile')
    .values(files.map((file) => ({ ...file, inspectionId, patientId: seen.id })))
    .onConflict((conflict) => conflict.columns(['inspectionId', 'fileId']).doNothing())
    .execute();
}

/** Measured values of one report; each indicator once. */
export function measureAll(indicators: readonly Entered[], seen: Seen, at: Instant): Measured[] {
  const twice = indicators.find(({ code }, index) => indicators.findIndex((one) => one.code === code) !== index);
  if (twice) throw refuseField('indicators', `指标${twice.code}重复填写`);
  const age = seen.birthDate === null ? null : ageOn(seen.birthDate, dayOf(at));
  return indicators.map((entered) => measure(entered, { gender: seen.gender, age }));
}

/** Writes the values in place of the ones held, and alerts of critical ones that were not known yet. */
export async function putIndicators(
  writing: Pick<Writing, 'tx' | 'publish'>,
  seen: Seen,
  inspection: { id: string; patientId: string; inspectionTime: Instant },
  measured: readonly Measured[],
): Promise<void> {
  const tx = ownTx(writing.tx);
  const known = await tx.deleteFrom('patientIndicator').where('inspectionId', '=', inspection.id).returning(['code', 'flag']).execute();
  if (measured.length > 0) {
    await tx
      .insertInto('patientIndicator')
      .values(
        measured.map((one) => ({
          ...one,
          inspectionId: inspection.id,
          patientId: inspection.patientId,
          inspectionTime: inspection.inspectionTime,
        })),
      )
      .execute();
  }
  for (const one of measured) {
    if (one.flag !== 'C' || known.some(({ code, flag }) => code === one.code && flag === 'C')) continue;
    await writing.publish(indicatorAlerted, seen.id, {
      patientId: seen.id,
      code: one.code,
      value: one.value,
      at: inspection.inspectionTime,
    });
  }
}

export const readInspection = (tx: Tx, id: string) =>
  ownTx(tx)
    .selectFrom('patientInspection as i')
    .selectAll('i')
    .select(indicatorsJson('i').as('indicators'))
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();

/** Adds a report, or fills the one that was asked for; files must be attached by the caller. */
export async function addReport(kernel: Kernel, acting: Acting, seen: Seen, report: NewInspection): Promise<string> {
  const { now } = acting;
  if (report.inspectionTime > now) throw refuseField('inspectionTime', '检查时间不能晚于现在');
  const measured = measureAll(report.indicators, seen, report.inspectionTime);
  const { indicators: _indicators, inspectionId, fileIds, ...facts } = report;
  const tx = ownTx(acting.tx);
  const userId = acting.staffOrNull?.userId ?? null;
  const columns = { ...facts, fileIds: [...fileIds], status: '1' as const, ...updatedColumns({ now, userId }) };
  let id: string;
  if (inspectionId === undefined) {
    const inspectionNo = await nextNumber(acting.tx, 'JC', dayOf(now));
    ({ id } = await tx
      .insertInto('patientInspection')
      .values({ ...columns, inspectionNo, patientId: seen.id, ...authorColumns({ now, userId }) })
      .returning('id')
      .executeTakeFirstOrThrow());
    acting.target({ type: TARGET, id, no: inspectionNo });
  } else {
    const row = await tx
      .selectFrom('patientInspection')
      .selectAll()
      .where('id', '=', inspectionId)
      .where('patientId', 'in', seen.groupIds)
      .where('voidedAt', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw refuse(platformErrors.NOT_FOUND, { message: '检查检验不存在或已作废' });
    if (fileIds.length === 0) throw refuseField('fileIds', '请上传报告');
    await moveState(acting, inspectionMachine, {
      targetType: TARGET,
      targetId: row.id,
      targetNo: row.inspectionNo,
      action: userId === null ? 'receive' : 'upload',
      from: row.status,
    });
    // Whoever hands the report in counts as its enterer, so that somebody else reads it.
    await tx
      .updateTable('patientInspection')
      .set((eb) => ({ ...columns, createdBy: userId, version: eb('version', '+', 1) }))
      .where('id', '=', row.id)
      .execute();
    id = row.id;
  }
  await claimFiles(kernel, acting.tx, seen, id, fileIds);
  await putIndicators(acting, seen, { id, patientId: seen.id, inspectionTime: report.inspectionTime }, measured);
  await publishRecordChanged(acting, seen.id, 'INSPECTION', now);
  return id;
}
