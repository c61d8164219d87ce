import { checkInput } from '#kernel/server/http/validate.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { medicineInput } from '../../contract/calls/medicines.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import type { MedicineField } from '../../contract/rules/medicineFields.ts';
import { applyMachine, medicineMachine } from '../../contract/states.ts';
import { applyRecords, medicineRecords, skuRecords } from '../access.ts';
import { ownTx } from '../database.ts';
import { requireComplete, requireFreeApproval, requirePutOn } from '../medicines/checks.ts';
import { medicineColumns, storable } from '../medicines/columns.ts';
import { publishMedicine } from '../medicines/medicineEvents.ts';
import { medicineById } from '../medicines/medicineFacts.ts';
import { insertPrice } from '../skus/prices.ts';
import type { PricePayload } from './applyRows.ts';

type Apply = Awaited<ReturnType<typeof applyRecords.lock>>;
type Medicine = NonNullable<Awaited<ReturnType<typeof medicineById>>>;
type Act = (ctx: CommandContext, apply: Apply, medicine: Medicine) => Promise<void>;

const asDraft = (medicine: Medicine, changes: object) => {
  const facts = Object.fromEntries(Object.keys(medicineInput.shape).map((field) => [field, medicine[field as MedicineField]]));
  return checkInput(medicineInput, { ...facts, ...changes });
};

const withoutKind = (payload: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(payload).filter(([field]) => field !== 'approvalKind'));

/** What an approval does, by the type of the apply; everything is checked again, because time has passed. */
const effects: Record<string, Act> = {
  CREATE: async (ctx, _apply, medicine) => {
    requireComplete(medicine, ctx.today);
    await requireFreeApproval(ctx.tx, medicine.approvalNo, medicine.id);
  },
  MODIFY: async (ctx, apply, medicine) => {
    const columns = await medicineColumns(ctx, asDraft(medicine, withoutKind(apply.payload as Record<string, unknown>)));
    await requireFreeApproval(ctx.tx, columns.approvalNo, medicine.id);
    if (medicine.state === 'ON' && columns.controlClass !== 'NONE') throw refuse(pharmaErrors.LAST_SKU);
    await ownTx(ctx.tx).updateTable('pharmaMedicine').set(storable(columns)).where('id', '=', medicine.id).execute();
  },
  ON: async (ctx, _apply, medicine) => requirePutOn(ctx.tx, medicine, ctx.today),
  PRICE: async (ctx, apply) => {
    const price = apply.payload as PricePayload;
    if (price.priceType === 'SUPPLY') ctx.requirePermission(pharmaPermissions['price.supply']);
    await skuRecords.lock(ctx.tx, ctx.staff, price.skuId);
    await insertPrice(
      ownTx(ctx.tx),
      { skuId: price.skuId, priceType: price.priceType, provinceAdcode: price.provinceAdcode },
      {
        priceFen: BigInt(price.priceFen),
        from: price.effectiveFrom < ctx.today ? ctx.today : price.effectiveFrom,
        reason: price.reason,
        priceApplyId: apply.id,
        by: apply.makerId,
        now: ctx.now,
      },
    );
  },
};

/** The medicine's own move that belongs to a decision; prices leave its state alone. */
const moves = {
  approve: { CREATE: 'approve', MODIFY: 'changeApproved', ON: 'on', PRICE: null },
  reject: { CREATE: 'reject', MODIFY: 'changeRejected', ON: 'changeRejected', PRICE: null },
  withdraw: { CREATE: 'withdraw', MODIFY: null, ON: null, PRICE: null },
} as const;

export interface Decision {
  id: string;
  /** Null: whatever version it has (decisions in a batch). */
  version: number | null;
  action: 'approve' | 'reject' | 'withdraw';
  opinion?: string | undefined;
}

/**
 * Decides an apply. Approving and rejecting take somebody else than its maker; withdrawing takes the maker.
 * @throws Refusal SCM05024 and what the effect refuses
 */
export async function decideApply(ctx: CommandContext, decision: Decision) {
  const tx = ownTx(ctx.tx);
  const seen = await tx.selectFrom('pharmaMedicineApply').select('medicineId').where('id', '=', decision.id).executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND);
  const { createdBy } = await medicineRecords.lock(ctx.tx, ctx.staff, seen.medicineId);
  const apply = await applyRecords.lock(ctx.tx, ctx.staff, decision.id);
  if (decision.version !== null) {
    await requireVersion(
      ctx,
      'pharma.medicineApply',
      { id: apply.id, version: apply.version, updatedBy: apply.checkerId },
      decision.version,
      () => ({ state: applyMachine.dictionary.label(apply.state) }),
    );
  }
  if (decision.action === 'withdraw' && apply.makerId !== ctx.staff.userId) throw refuseField('id', '只能撤回本人提交的申请');
  const medicine = (await medicineById(tx, apply.medicineId))!;
  const state = await moveState(ctx, applyMachine, {
    targetType: 'pharma.medicineApply',
    targetId: apply.id,
    targetNo: apply.applyNo,
    action: decision.action,
    from: apply.state,
    opinion: decision.opinion,
    contributors: [apply.makerId],
  });
  const type = apply.applyType;
  if (decision.action === 'approve') await effects[type]!(ctx, apply, medicine);
  const action = moves[decision.action][type];
  let medicineState = medicine.state;
  if (action !== null) {
    medicineState = await moveState(ctx, medicineMachine, {
      targetType: 'pharma.medicine',
      targetId: medicine.id,
      targetNo: medicine.medicineNo,
      action,
      from: medicine.state,
      opinion: decision.opinion,
      contributors: [createdBy],
    });
  }
  await tx
    .updateTable('pharmaMedicine')
    .set((eb) => ({
      state: medicineState,
      version: eb('version', '+', 1),
      ...(medicineState === 'ON' && medicine.firstOnAt === null ? { firstOnAt: ctx.now } : {}),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', medicine.id)
    .execute();
  await tx
    .updateTable('pharmaMedicineApply')
    .set((eb) => ({
      state,
      opinion: decision.opinion ?? null,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
      ...(decision.action === 'withdraw' ? {} : { checkerId: ctx.staff.userId, checkerName: ctx.staff.displayName, decidedAt: ctx.now }),
    }))
    .where('id', '=', apply.id)
    .execute();
  if (decision.action === 'approve') await publishMedicine(ctx, medicine.id, ctx.today);
  return {
    id: apply.id,
    applyNo: apply.applyNo,
    applyType: type,
    makerId: apply.makerId,
    genericName: medicine.genericName,
    state,
    version: apply.version + 1,
  };
}
