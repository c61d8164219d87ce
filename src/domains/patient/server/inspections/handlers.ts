import { refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { addInspection, checkInspection, requestInspection, voidInspection } from '../../contract/calls/ehr.ts';
import { inspectionKinds } from '../../contract/dictionaries.ts';
import { inspectionMachine } from '../../contract/states.ts';
import { lockEntry, lockPatient } from '../access.ts';
import { ownTx } from '../database.ts';
import { attachFiles } from '../files.ts';
import { publishRecordChanged } from '../records/changed.ts';
import { withNames } from '../records/names.ts';
import { presentInspection } from '../records/modules.ts';
import { addReport, measureAll, putIndicators, readInspection, TARGET } from './add.ts';
import { reportList } from './list.ts';

const viewer = (ctx: CommandContext) => ({ may: ctx.has, userId: ctx.staff.userId });

const lockInspection = (ctx: CommandContext, id: string) =>
  lockEntry(
    ctx,
    ownTx(ctx.tx).selectFrom('patientInspection').selectAll().where('id', '=', id).where('voidedAt', 'is', null),
    '检查检验不存在或已作废',
  );

export const inspectionHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addInspection, async ({ patientId, ...report }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    if (report.fileIds.length === 0 && report.indicators.length === 0 && report.conclusion === '')
      throw refuseField('fileIds', '请上传报告或填写指标、结论');
    await attachFiles(ctx, ctx.staff.userId, seen.id, 'inspection', report.fileIds);
    const id = await addReport(kernel, ctx, seen, report);
    return (await withNames(ctx.tx, [presentInspection(await readInspection(ctx.tx, id), viewer(ctx))]))[0]!;
  }),
  command(requestInspection, async ({ patientId, ...asked }, ctx) => {
    const seen = await lockPatient(ctx.tx, ctx.staff, patientId, ctx.now);
    if (asked.dueOn !== null && asked.dueOn < ctx.today) throw refuseField('dueOn', '截止日期不能早于今天');
    const inspectionNo = await nextNumber(ctx.tx, 'JC', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('patientInspection')
      .values({
        ...asked,
        inspectionNo,
        patientId: seen.id,
        inspectionTime: ctx.now,
        source: 'ASSISTANT',
        status: '0',
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ctx.target({ type: TARGET, id, no: inspectionNo });
    ctx.changed([{ path: 'itemName', label: inspectionKinds.label(asked.kind), before: null, after: asked.itemName }]);
    await publishRecordChanged(ctx, seen.id, 'INSPECTION', ctx.now);
    return (await withNames(ctx.tx, [presentInspection(await readInspection(ctx.tx, id), viewer(ctx))]))[0]!;
  }),
  command(checkInspection, async ({ id, version, conclusion, indicators, itemName, inspectionTime }, ctx) => {
    const { row, seen } = await lockInspection(ctx, id);
    await requireVersion(ctx, TARGET, row, version, () => ({ status: row.status, itemName: row.itemName }));
    const at = inspectionTime ?? row.inspectionTime;
    if (at > ctx.now) throw refuseField('inspectionTime', '检查时间不能晚于现在');
    const status = await moveState(ctx, inspectionMachine, {
      targetType: TARGET,
      targetId: id,
      targetNo: row.inspectionNo,
      action: 'check',
      from: row.status,
      contributors: [row.createdBy],
    });
    await ownTx(ctx.tx)
      .updateTable('patientInspection')
      .set((eb) => ({
        status,
        conclusion,
        itemName: itemName ?? row.itemName,
        inspectionTime: at,
        readBy: ctx.staff.userId,
        readAt: ctx.now,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .execute();
    await putIndicators(ctx, seen, { id, patientId: row.patientId, inspectionTime: at }, measureAll(indicators, seen, at));
    await publishRecordChanged(ctx, seen.id, 'INSPECTION', ctx.now);
    return (await withNames(ctx.tx, [presentInspection(await readInspection(ctx.tx, id), viewer(ctx))]))[0]!;
  }),
  command(voidInspection, async ({ id, version, reason }, ctx) => {
    const { row, seen } = await lockInspection(ctx, id);
    await requireVersion(ctx, TARGET, row, version, () => ({ status: row.status }));
    await moveState(ctx, inspectionMachine, {
      targetType: TARGET,
      targetId: id,
      targetNo: row.inspectionNo,
      action: 'void',
      from: row.status,
      opinion: reason,
    });
    await ownTx(ctx.tx)
      .updateTable('patientInspection')
      .set((eb) => ({
        voidedAt: ctx.now,
        voidReason: reason,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .execute();
    await ownTx(ctx.tx).updateTable('patientInspectionFile').set({ live: false }).where('inspectionId', '=', id).execute();
    await publishRecordChanged(ctx, seen.id, 'INSPECTION', ctx.now);
    return { id };
  }),
  reportList.handler,
];
