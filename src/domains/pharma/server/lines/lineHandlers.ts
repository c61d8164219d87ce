import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState, trailOf } from '#kernel/server/audit/transition.ts';
import { command, query } from '#kernel/server/handler.ts';
import { changeProductLineState, queryProductLineDetail, renewProductLine } from '../../contract/calls/lines.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { lineMachine } from '../../contract/states.ts';
import { lineRecords } from '../access.ts';
import type { Attachments } from '../attachments.ts';
import { own, ownTx } from '../database.ts';
import { requireUnbound, endBindings } from './bindings.ts';
import { lineById, stateByDate } from './lineRows.ts';

export const stopLine = command(changeProductLineState, async ({ id, version, action, opinion }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lineRecords.lockVersion(ctx, id, version, async () => (await lineById(ctx.tx, id, ctx.today))!);
  const current = (await lineById(ctx.tx, id, ctx.today))!;
  if (current.agentCount > 0) throw refuse(pharmaErrors.LINE_HAS_AGENTS, { n: current.agentCount });
  const state = await moveState(ctx, lineMachine, {
    targetType: 'pharma.productLine',
    targetId: id,
    targetNo: stored.lineNo,
    action,
    from: stored.state,
    opinion,
  });
  await endBindings(ctx.tx, id, ctx.today);
  await tx
    .updateTable('pharmaProductLine')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  return actionAnswer(ctx, lineMachine, { id, state, version: version + 1 });
});

export const renewLine = (attachments: Attachments) =>
  command(renewProductLine, async ({ id, version, endDate, agreementFileIds }, ctx) => {
    const tx = ownTx(ctx.tx);
    const stored = await lineRecords.lockVersion(ctx, id, version, async () => (await lineById(ctx.tx, id, ctx.today))!);
    if (agreementFileIds.length === 0)
      throw refuse(pharmaErrors.AGREEMENT_MISSING, {
        fields: [{ path: 'agreementFileIds', message: pharmaErrors.AGREEMENT_MISSING.text }],
      });
    if (endDate <= stored.endDate) throw refuseField('endDate', '续约结束日期须晚于原结束日期');
    const from = stored.state;
    await moveState(ctx, lineMachine, {
      targetType: 'pharma.productLine',
      targetId: id,
      targetNo: stored.lineNo,
      action: 'renew',
      from,
      differences: [{ path: 'endDate', label: '合作结束', before: stored.endDate, after: endDate }],
    });
    const open = await tx
      .selectFrom('pharmaProductLineMedicine')
      .select(['id', 'medicineId'])
      .where('lineId', '=', id)
      .where('endDate', '=', stored.endDate)
      .execute();
    if (open.length > 0) {
      await requireUnbound(
        tx,
        open.map((row) => row.medicineId),
        { from: stored.endDate, to: endDate },
        id,
      );
      await tx
        .updateTable('pharmaProductLineMedicine')
        .set({ endDate })
        .where(
          'id',
          'in',
          open.map((row) => row.id),
        )
        .execute();
    }
    const state = stateByDate({ startDate: stored.startDate, endDate }, ctx.today);
    if (state === 'ACTIVE' && from === 'EXPIRED') {
      await moveState(ctx, lineMachine, { targetType: 'pharma.productLine', targetId: id, targetNo: stored.lineNo, action: 'begin', from });
    }
    const files = [...new Set([...stored.agreementFileIds, ...agreementFileIds])];
    await attachments.keep(ctx, {
      ownerType: 'pharma.productLine',
      ownerId: id,
      field: 'agreement',
      purpose: PHARMA_PAPER,
      fileIds: files,
    });
    await tx
      .updateTable('pharmaProductLine')
      .set({ endDate, agreementFileIds: files, state, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    return (await lineById(ctx.tx, id, ctx.today))!;
  });

export const lineDetail = query(queryProductLineDetail, async ({ lineId }, ctx) => {
  const db = own(ctx.db);
  const line = await lineById(ctx.db, lineId, ctx.today);
  if (!line) throw refuse(platformErrors.NOT_FOUND);
  const [medicines, agents, timeline] = await Promise.all([
    db
      .selectFrom('pharmaProductLineMedicine as b')
      .innerJoin('pharmaMedicine as m', 'm.id', 'b.medicineId')
      .select(['b.medicineId', 'm.medicineNo', 'm.genericName', 'm.brandName', 'm.strength', 'b.startDate', 'b.endDate'])
      .where('b.lineId', '=', lineId)
      .orderBy('m.id')
      .execute(),
    db
      .selectFrom('pharmaAgentLine as s')
      .innerJoin('pharmaAgent as a', 'a.id', 's.agentId')
      .select(['s.agentId', 'a.agentNo', 'a.name', 'a.rank', 'a.state'])
      .where('s.lineId', '=', lineId)
      .where('a.state', '<>', 'LEFT')
      .orderBy('a.id')
      .execute(),
    trailOf(ctx.db, 'pharma.productLine', lineId),
  ]);
  return {
    line,
    medicines: medicines.map((row) => ({ ...row, bound: row.endDate === null || row.endDate >= ctx.today })),
    agents,
    timeline,
  };
});
