import { refuse } from '../../../../kernel/contract/errors.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import { command } from '../../../../kernel/server/handler.ts';
import { changeMedicineState, moveMedicineCategory, submitMedicine } from '../../contract/calls/medicines.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { medicineMachine } from '../../contract/states.ts';
import { actedOn, demandFresh, lockRecord, stampOf } from '../access.ts';
import { openApply } from '../applies/openApply.ts';
import { pharmaTx } from '../database.ts';
import { demandApproval, demandCodes, demandComplete, demandFreeApproval, demandLeaf, demandPutOn } from './checks.ts';
import { publishMedicine } from './medicineEvents.ts';
import { medicineById } from './medicineFacts.ts';

/** A complete draft goes to somebody else's desk. */
export const submitDraft = command(submitMedicine, async ({ id, version }, ctx) => {
  const tx = pharmaTx(ctx.tx);
  const stored = await lockRecord(ctx.tx, 'medicine', id);
  const medicine = (await medicineById(tx, id))!;
  await demandFresh(ctx.tx, { seen: version, version: stored.version, changedById: stored.updatedBy, current: medicine });
  demandComplete(medicine, ctx.today);
  demandApproval(medicine.approvalNo, medicine.medicineKind);
  await demandFreeApproval(ctx.tx, medicine.approvalNo, id);
  demandCodes(medicine);
  await demandLeaf(ctx.tx, medicine.categoryId!);
  const state = await moveState(ctx, medicineMachine, { targetType: 'pharma.medicine', targetId: id, targetNo: medicine.medicineNo, action: 'submit', from: medicine.state });
  await tx.updateTable('pharmaMedicine').set({ state, version: version + 1, ...stampOf(ctx) }).where('id', '=', id).where('version', '=', version).execute();
  await openApply(ctx, { applyType: 'CREATE', medicineId: id, payload: {}, before: {} });
  return actedOn(ctx, medicineMachine, { id, state, version: version + 1 });
});

/** Putting on is asked for here and decided by somebody else; taking off acts at once. */
export const changeState = command(changeMedicineState, async ({ id, version, action, opinion }, ctx) => {
  const tx = pharmaTx(ctx.tx);
  const stored = await lockRecord(ctx.tx, 'medicine', id);
  const medicine = (await medicineById(tx, id))!;
  await demandFresh(ctx.tx, { seen: version, version: stored.version, changedById: stored.updatedBy, current: medicine });
  const state = await moveState(ctx, medicineMachine, { targetType: 'pharma.medicine', targetId: id, targetNo: medicine.medicineNo, action, from: medicine.state, opinion });
  if (action === 'putOn') {
    await demandPutOn(ctx.tx, medicine, ctx.today);
    await openApply(ctx, { applyType: 'ON', medicineId: id, payload: { state: 'ON' }, before: { state: 'OFF' } });
  }
  if (action === 'void') {
    if (medicine.firstOnAt !== null) throw refuse(pharmaErrors.WAS_ON);
    await tx.updateTable('pharmaMedicineApply').set((eb) => ({ state: 'WITHDRAWN', version: eb('version', '+', 1), updatedAt: ctx.now })).where('medicineId', '=', id).where('state', '=', 'PENDING').execute();
  }
  await tx.updateTable('pharmaMedicine').set({ state, version: version + 1, ...stampOf(ctx) }).where('id', '=', id).where('version', '=', version).execute();
  if (action === 'takeOff') await publishMedicine(ctx, id, ctx.today);
  return actedOn(ctx, medicineMachine, { id, state, version: version + 1 });
});

export const moveCategoryOfMedicines = command(moveMedicineCategory, async ({ medicineIds, categoryId }, ctx) => {
  await demandLeaf(ctx.tx, categoryId);
  const moved = await pharmaTx(ctx.tx)
    .updateTable('pharmaMedicine')
    .set((eb) => ({ categoryId, version: eb('version', '+', 1), ...stampOf(ctx) }))
    .where('id', 'in', medicineIds)
    .where('state', '<>', 'VOID')
    .returning(['id', 'medicineNo', 'state'])
    .execute();
  for (const { id, medicineNo, state } of moved) {
    ctx.target({ type: 'pharma.medicine', id, no: medicineNo });
    if (state === 'ON') await publishMedicine(ctx, id, ctx.today);
  }
  ctx.changed([{ path: 'categoryId', label: '药品分类', before: null, after: categoryId }]);
  return { moved: moved.length };
});
