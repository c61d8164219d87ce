import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { addProductLine, delProductLine, modifyProductLine } from '../../contract/calls/lines.ts';
import { lineLabels } from '../../contract/labels.ts';
import { lineMachine } from '../../contract/states.ts';
import { companyRecords, lineRecords } from '../access.ts';
import type { Attachments } from '../attachments.ts';
import { PHARMA_PAPER } from '../../contract/purposes.ts';
import { ownTx } from '../database.ts';
import { lineById, stateByDate } from './lineRows.ts';

async function requireFreeName(ctx: CommandContext, companyId: string, name: string, exceptId: string | null): Promise<void> {
  await lockKeys(ctx.tx, 'pharma.productLine', [companyId]);
  let same = ownTx(ctx.tx).selectFrom('pharmaProductLine').select('id').where('companyId', '=', companyId).where('name', '=', name);
  if (exceptId !== null) same = same.where('id', '<>', exceptId);
  if (await same.executeTakeFirst()) throw refuseField('name', '该药企下已有同名产品线');
}

export const addLine = (attachments: Attachments) =>
  command(addProductLine, async (input, ctx) => {
    const company = await companyRecords.lock(ctx.tx, ctx.staff, input.companyId);
    if (company.state !== 'ENABLED') throw refuseField('companyId', '该药企已停用，不能新增产品线');
    await requireFreeName(ctx, input.companyId, input.name, null);
    const lineNo = await nextNumber(ctx.tx, 'CX', ctx.today);
    const { id } = await ownTx(ctx.tx)
      .insertInto('pharmaProductLine')
      .values({
        ...input,
        lineNo,
        ownerUserId: input.ownerUserId ?? null,
        remark: input.remark ?? null,
        state: stateByDate(input, ctx.today),
        ...createdColumns(ctx),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await attachments.keep(ctx, {
      ownerType: 'pharma.productLine',
      ownerId: id,
      field: 'agreement',
      purpose: PHARMA_PAPER,
      fileIds: input.agreementFileIds,
    });
    const added = (await lineById(ctx.tx, id, ctx.today))!;
    ctx.target({ type: 'pharma.productLine', id, no: lineNo });
    ctx.changed(differencesOf({}, added, lineLabels));
    return added;
  });

export const modifyLine = (attachments: Attachments) =>
  command(modifyProductLine, async ({ id, version, ...input }, ctx) => {
    const stored = await lineRecords.lockVersion(ctx, id, version, async () => (await lineById(ctx.tx, id, ctx.today))!);
    const before = (await lineById(ctx.tx, id, ctx.today))!;
    await requireFreeName(ctx, stored.companyId, input.name, id);
    if (input.endDate !== stored.endDate && stored.state !== 'DRAFT') throw refuseField('endDate', '合作期请通过续约延长，或终止产品线');
    const state = stored.state === 'STOPPED' ? 'STOPPED' : stateByDate({ startDate: input.startDate, endDate: input.endDate }, ctx.today);
    await ownTx(ctx.tx)
      .updateTable('pharmaProductLine')
      .set((eb) => ({
        ...input,
        ownerUserId: input.ownerUserId ?? null,
        remark: input.remark ?? null,
        state,
        version: eb('version', '+', 1),
        ...updatedColumns(ctx),
      }))
      .where('id', '=', id)
      .execute();
    await attachments.keep(ctx, {
      ownerType: 'pharma.productLine',
      ownerId: id,
      field: 'agreement',
      purpose: PHARMA_PAPER,
      fileIds: input.agreementFileIds,
    });
    const after = (await lineById(ctx.tx, id, ctx.today))!;
    await moveState(ctx, lineMachine, {
      targetType: 'pharma.productLine',
      targetId: id,
      targetNo: stored.lineNo,
      action: 'modify',
      from: stored.state,
      differences: differencesOf(before, after, lineLabels),
    });
    return after;
  });

export const removeLine = command(delProductLine, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await lineRecords.lockVersion(ctx, id, version, async () => (await lineById(ctx.tx, id, ctx.today))!);
  const state = stored.state;
  if (state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: lineMachine.states[state].label });
  await tx.deleteFrom('pharmaProductLineMedicine').where('lineId', '=', id).execute();
  await tx.deleteFrom('pharmaAgentLine').where('lineId', '=', id).execute();
  await tx.deleteFrom('pharmaProductLine').where('id', '=', id).execute();
  ctx.target({ type: 'pharma.productLine', id, no: stored.lineNo });
  ctx.changed([{ path: 'name', label: '产品线名称', before: stored.name, after: null }]);
  return {};
});
