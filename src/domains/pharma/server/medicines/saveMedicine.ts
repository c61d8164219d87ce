import { checkInput } from '#kernel/server/http/validate.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import {
  addMedicine,
  copyMedicine,
  delMedicine,
  medicineInput,
  modifyMedicine,
  type MedicineFacts,
} from '../../contract/calls/medicines.ts';
import { auditedFields, medicineLabels, type MedicineField } from '../../contract/rules/medicineFields.ts';
import { medicineMachine } from '../../contract/states.ts';
import { medicineRecords } from '../access.ts';
import { openApply } from '../applies/openApply.ts';
import type { Attachments } from '../attachments.ts';
import { MEDICINE_FILE } from '../../contract/purposes.ts';
import { ownTx } from '../database.ts';
import { requireFreeApproval } from './checks.ts';
import { medicineColumns, storable, type MedicineColumns } from './columns.ts';
import { publishMedicine } from './medicineEvents.ts';
import { medicineById } from './medicineFacts.ts';

const keepFiles = async (ctx: CommandContext, attachments: Attachments, id: string, columns: MedicineColumns) => {
  const owner = { ownerType: 'pharma.medicine', ownerId: id, purpose: MEDICINE_FILE };
  await attachments.keep(ctx, { ...owner, field: 'label', fileIds: columns.labelFileId === null ? [] : [columns.labelFileId] });
  await attachments.keep(ctx, { ...owner, field: 'image', fileIds: columns.imageFileIds });
};

async function insertMedicine(ctx: CommandContext, columns: MedicineColumns): Promise<MedicineFacts> {
  await requireFreeApproval(ctx.tx, columns.approvalNo, null);
  const medicineNo = await nextNumber(ctx.tx, 'YP', ctx.today);
  const { id } = await ownTx(ctx.tx)
    .insertInto('pharmaMedicine')
    .values({ ...storable(columns), medicineNo, state: 'DRAFT', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const added = (await medicineById(ownTx(ctx.tx), id))!;
  ctx.target({ type: 'pharma.medicine', id, no: medicineNo });
  ctx.changed(differencesOf({}, added, medicineLabels));
  return added;
}

export const addMedicineDraft = (attachments: Attachments) =>
  command(addMedicine, async (input, ctx) => {
    const columns = await medicineColumns(ctx, input);
    const added = await insertMedicine(ctx, columns);
    await keepFiles(ctx, attachments, added.id, columns);
    return added;
  });

/** A draft with the same facts under another number; pictures and goods are not taken over. */
export const copyMedicineDraft = command(copyMedicine, async ({ id, approvalNo }, ctx) => {
  const from = await medicineById(ownTx(ctx.tx), id);
  if (!from) throw refuse(platformErrors.NOT_FOUND);
  const facts = Object.fromEntries(Object.keys(medicineInput.shape).map((field) => [field, from[field as MedicineField]]));
  const input = checkInput(medicineInput, {
    ...facts,
    approvalNo,
    approvalValidTo: null,
    baseCode: null,
    nhsaCode: null,
    labelFileId: null,
    imageFileIds: [],
  });
  return insertMedicine(ctx, await medicineColumns(ctx, input));
});

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/**
 * A draft changes at once. Of an audited medicine the facts of the licence go into an apply and stay as they are
 * until somebody else approves; pictures, usage and the rest act at once.
 */
export const modifyMedicineFacts = (attachments: Attachments) =>
  command(modifyMedicine, async ({ id, version, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    const columns = await medicineColumns(ctx, input);
    await requireFreeApproval(ctx.tx, columns.approvalNo, id);
    await medicineRecords.lockVersion(ctx, id, version, async () => (await medicineById(tx, id))!);
    const before = (await medicineById(tx, id))!;
    const audited = before.state === 'OFF' || before.state === 'ON';
    const waiting = audited ? auditedFields.filter((field) => !same(before[field], columns[field])) : [];
    const kept = Object.fromEntries(waiting.map((field) => [field, before[field]]));
    const now: MedicineColumns = { ...columns, ...kept };
    await moveState(ctx, medicineMachine, {
      targetType: 'pharma.medicine',
      targetId: id,
      targetNo: before.medicineNo,
      action: 'modify',
      from: before.state,
      differences: differencesOf(before, now, medicineLabels),
    });
    await tx
      .updateTable('pharmaMedicine')
      .set((eb) => ({ ...storable(now), version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', id)
      .execute();
    await keepFiles(ctx, attachments, id, now);
    const apply =
      waiting.length === 0
        ? null
        : await openApply(ctx, {
            applyType: 'MODIFY',
            medicineId: id,
            payload: Object.fromEntries(waiting.map((field) => [field, columns[field]])),
            before: kept,
          });
    if (before.state === 'ON') await publishMedicine(ctx, id, ctx.today);
    return { ...(await medicineById(tx, id))!, applyNo: apply?.applyNo ?? null };
  });

export const removeMedicine = command(delMedicine, async ({ id, version }, ctx) => {
  const tx = ownTx(ctx.tx);
  const stored = await medicineRecords.lockVersion(ctx, id, version, async () => (await medicineById(tx, id))!);
  const current = (await medicineById(tx, id))!;
  const used = await tx.selectFrom('pharmaMedicineApply').select('id').where('medicineId', '=', id).limit(1).executeTakeFirst();
  const sku = await tx.selectFrom('pharmaSku').select('id').where('medicineId', '=', id).limit(1).executeTakeFirst();
  // A draft that was submitted once, or has goods, keeps its history: it can be made void.
  if (current.state !== 'DRAFT' || used || sku)
    throw refuse(platformErrors.WRONG_STATE, { state: used || sku ? '已有审核记录或商品' : medicineMachine.states[current.state].label });
  await tx.deleteFrom('pharmaProductLineMedicine').where('medicineId', '=', id).execute();
  await tx.deleteFrom('pharmaReimburse').where('medicineId', '=', id).execute();
  await tx.deleteFrom('pharmaMedicine').where('id', '=', id).execute();
  ctx.target({ type: 'pharma.medicine', id, no: stored.medicineNo });
  ctx.changed([{ path: 'genericName', label: '通用名', before: stored.genericName, after: null }]);
  return {};
});
