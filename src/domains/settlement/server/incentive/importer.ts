import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, startOfDay } from '#kernel/contract/time.ts';
import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { importColumns } from '#kernel/server/importing/importColumns.ts';
import type { Importer, ParsedRow } from '#kernel/server/importing/importer.ts';
import { fault, repeated, textOf } from '#kernel/server/importing/rows.ts';
import { doctorsByNo } from '#domains/doctor/server/index.ts';
import { importedFact, importIncentiveFact, INCENTIVE_FACT_IMPORTER } from '../../contract/calls/incentive.ts';
import { settlementPermissions } from '../../contract/permissions.ts';
import { programMachine } from '../../contract/programStates.ts';
import { programChangeRecords, programRecords } from '../access.ts';
import { own } from '../database.ts';

const programIdOf = ({ programId }: Readonly<Record<string, unknown>>): string => (typeof programId === 'string' ? programId : '0');

async function programOf(db: Db | Tx, params: Readonly<Record<string, unknown>>) {
  const program = await programRecords.get(db, programRecords.everyone, programIdOf(params));
  if (program.status !== 'ACTIVE' && program.status !== 'PAUSED' && program.status !== 'ENDED')
    throw refuse(platformErrors.WRONG_STATE, { state: programMachine.states[program.status].label });
  const tasks = await own(db).selectFrom('settlementProgramTask').select(['id', 'taskName']).where('programId', '=', program.id).execute();
  return { program, tasks: new Map(tasks.map(({ id, taskName }) => [taskName, id])) };
}
const doctorsOf = (db: Db | Tx, rows: readonly ParsedRow[]) =>
  doctorsByNo(
    db,
    rows.map((row) => textOf(row, 'doctorNo')),
  );
const vouchersOf = (programNo: string, rows: readonly ParsedRow[]) => rows.map((row) => `${programNo}-${textOf(row, 'voucherNo')}`);

/** No `upsertImporter`: a row changes no record, it tells what a doctor did; a second person passes the batch before it counts. */
export const incentiveFactImporter: Importer = {
  code: INCENTIVE_FACT_IMPORTER,
  label: '激励事实',
  call: importIncentiveFact,
  admit: (ctx, params) => programOf(ctx.tx, params),
  templateVersion: '1',
  permission: settlementPermissions['program.fact'].code,
  maxRows: 5_000,
  allowValidOnly: false,
  columns: importColumns(importedFact.shape, [
    { key: 'doctorNo', example: 'YS20261121000001' },
    { key: 'taskName', example: '病例征集' },
    { key: 'doneOn', example: '2026-11-20' },
    { key: 'itemCount', example: '1' },
    { key: 'voucherNo', example: 'PZ0001', note: '同一项目内不能重复' },
  ]),
  scopeKey: programIdOf,
  async validateAll(rows, { db, params, now }) {
    const { program, tasks } = await programOf(db, params);
    const doctors = await doctorsOf(db, rows);
    const taken = await own(db)
      .selectFrom('settlementProgramFact')
      .select('sourceNo')
      .where('sourceType', '=', 'IMPORT')
      .where('state', '<>', 'REFUSED')
      .where('sourceNo', 'in', vouchersOf(program.programNo, rows))
      .execute();
    const known = new Set(taken.map(({ sourceNo }) => sourceNo));
    const faults = repeated(rows, 'voucherNo', '凭证编号', (row) => textOf(row, 'voucherNo'));
    for (const row of rows) {
      const doctor = doctors.get(textOf(row, 'doctorNo'));
      const doneOn = textOf(row, 'doneOn');
      const isAbout =
        program.scopeType === 'ALL' ||
        (doctor && program.scopeIds.includes(program.scopeType === 'DOCTOR' ? doctor.doctorId : (doctor.channelId ?? '')));
      if (!doctor) faults.push(fault(row, 'doctorNo', '医生不存在'));
      else if (!isAbout) faults.push(fault(row, 'doctorNo', '医生不在项目的参与范围内'));
      if (!tasks.has(textOf(row, 'taskName'))) faults.push(fault(row, 'taskName', '项目中没有该任务'));
      if (doneOn < program.startDate || doneOn > program.endDate) faults.push(fault(row, 'doneOn', '完成日期不在项目有效期内'));
      else if (doneOn > dayOf(now)) faults.push(fault(row, 'doneOn', '完成日期不能晚于今天'));
      if (known.has(`${program.programNo}-${textOf(row, 'voucherNo')}`)) faults.push(fault(row, 'voucherNo', '凭证编号已导入过'));
    }
    return faults;
  },
  plan: async (rows) => rows.map((row) => ({ ...row, action: 'NEW' })),
  async commitChunk(rows, batchNo, { tx, staff, now, params }) {
    const { program, tasks } = await programOf(tx, params);
    const doctors = await doctorsOf(tx, rows);
    const change = await own(tx)
      .insertInto('settlementProgramChange')
      .values({
        programId: program.id,
        kind: 'FACTS',
        batchNo,
        factCount: rows.length,
        reason: '导入激励事实',
        makerId: staff.userId,
        makerName: staff.displayName,
        createdAt: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['programId', 'batchNo'])
          .doUpdateSet((eb) => ({ factCount: eb('settlementProgramChange.factCount', '+', rows.length) })),
      )
      .returning('id')
      .executeTakeFirstOrThrow();
    await noteWritten({ tx, now }, staff.userId, programChangeRecords.type, [change.id]);
    const written = await own(tx)
      .insertInto('settlementProgramFact')
      .values(
        rows.map((row) => {
          const doctor = doctors.get(textOf(row, 'doctorNo'))!;
          return {
            programId: program.id,
            taskId: tasks.get(textOf(row, 'taskName'))!,
            doctorId: doctor.doctorId,
            doctorName: doctor.name,
            sourceType: 'IMPORT' as const,
            sourceNo: `${program.programNo}-${textOf(row, 'voucherNo')}`,
            occurredAt: startOfDay(textOf(row, 'doneOn'), '12:00'),
            itemCount: Number(textOf(row, 'itemCount')),
            changeId: change.id,
            state: 'CHECKING' as const,
            createdAt: now,
          };
        }),
      )
      .returning('id')
      .execute();
    return new Map(rows.map(({ rowNo }, at) => [rowNo, written[at]!.id]));
  },
};
