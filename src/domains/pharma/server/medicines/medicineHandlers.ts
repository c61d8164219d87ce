import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { changeMedicineState, moveMedicineCategory, submitMedicine } from '../../contract/calls/medicines.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { medicineMachine } from '../../contract/states.ts';
import { medicineRecords } from '../access.ts';
import { openApply } from '../applies/openApply.ts';
import { ownTx } from '../database.ts';
import { requireApproval, requireCodes, requireComplete, requireFreeApproval, requireLeaf, requirePutOn } from './checks.ts';
import { publishMedicine } from './medicineEvents.ts';
import { medicineById } from './medicineFacts.ts';

/** A complete draft goes to somebody else's desk. */
export const submitDraft = command(submitMedicine, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  await medicineRecords.lockVersion(ctx, id, version, async () => (await medicineById(tx, id))!);
  const medicine = (await medicineById(tx, id))!;
  requireComplete(medicine, ctx.today);
  requireApproval(medicine.approvalNo, medicine.medicineKind);
  await requireFreeApproval(ctx.tx, medicine.approvalNo, id);
  requireCodes(medicine);
  await requireLeaf(ctx.tx, medicine.categoryId!);
  const state = await moveState(ctx, medicineMachine, {
    targetType: 'pharma.medicine',
    targetId: id,
    targetNo: medicine.medicineNo,
    action: 'submit',
    from: medicine.state,
  });
  await tx
    .updateTable('pharmaMedicine')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await openApply(ctx, { applyType: 'CREATE', medicineId: id, payload: {}, before: {} });
  return actionAnswer(ctx, medicineMachine, { id, state, version: version + 1 });
});

/** Putting on is asked for here and decided by somebody else; taking off acts at once. */
export const changeState = command(changeMedicineState, async ({ id, version, action, opinion }, ctx) => {
  const tx = ownTx(ctx.tx);
  await medicineRecords.lockVersion(ctx, id, version, async () => (await medicineById(tx, id))!);
  const medicine = (await medicineById(tx, id))!;
  const state = await moveState(ctx, medicineMachine, {
    targetType: 'pharma.medicine',
    targetId: id,
    targetNo: medicine.medicineNo,
    action,
    from: medicine.state,
    opinion,
  });
  if (action === 'putOn') {
    await requirePutOn(ctx.tx, medicine, ctx.today);
    await openApply(ctx, { applyType: 'ON', medicineId: id, payload: { state: 'ON' }, before: { state: 'OFF' } });
  }
  if (action === 'void') {
    if (medicine.firstOnAt !== null) throw refuse(pharmaErrors.WAS_ON);
    await tx
      .updateTable('pharmaMedicineApply')
      .set((eb) => ({ state: 'WITHDRAWN', version: eb('version', '+', 1), updatedAt: ctx.now }))
      .where('medicineId', '=', id)
      .where('state', '=', 'PENDING')
      .execute();
  }
  await tx
    .updateTable('pharmaMedicine')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  if (action === 'takeOff') await publishMedicine(ctx, id, ctx.today);
  return actionAnswer(ctx, medicineMachine, { id, state, version: version + 1 });
});

/** A category for several medicines; what waits for its audit or is void stays where it is. */
export const moveCategoryOfMedicines = command(moveMedicineCategory, async ({ medicineIds, categoryId }, ctx) => {
  const tx = ownTx(ctx.tx);
  await requireLeaf(ctx.tx, categoryId);
  const category = await tx.selectFrom('pharmaCategory').select('name').where('id', '=', categoryId).executeTakeFirstOrThrow();
  const stored = await tx
    .selectFrom('pharmaMedicine')
    .select(['id', 'medicineNo', 'genericName', 'categoryId', 'state'])
    .where('id', 'in', medicineIds)
    .orderBy('id')
    .forUpdate()
    .execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const former = new Map(
    (
      await tx
        .selectFrom('pharmaCategory')
        .select(['id', 'name'])
        .where('id', 'in', stored.flatMap((row) => row.categoryId ?? []).concat('0'))
        .execute()
    ).map(({ id, name }) => [id, name]),
  );
  const outcomes = [];
  for (const id of new Set(medicineIds)) {
    const row = known.get(id);
    const from = row && row.state;
    const ok = from !== undefined && medicineMachine.canStart('modify', from);
    const message = !row
      ? '药品不存在或已删除'
      : !ok
        ? `药品${medicineMachine.dictionary.label(row.state)}，不能调整分类`
        : row.categoryId === categoryId
          ? '已在该分类'
          : '成功';
    outcomes.push({ id, name: row?.genericName ?? id, ok, message });
    if (!row || !from || !ok || row.categoryId === categoryId) continue;
    await moveState(ctx, medicineMachine, {
      targetType: 'pharma.medicine',
      targetId: id,
      targetNo: row.medicineNo,
      action: 'modify',
      from,
      differences: [
        {
          path: 'categoryId',
          label: '药品分类',
          before: row.categoryId === null ? null : (former.get(row.categoryId) ?? null),
          after: category.name,
        },
      ],
    });
    await tx
      .updateTable('pharmaMedicine')
      .set((eb) => ({ categoryId, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    if (row.state === 'ON') await publishMedicine(ctx, id, ctx.today);
  }
  return outcomes;
});
