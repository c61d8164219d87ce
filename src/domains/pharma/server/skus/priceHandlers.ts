import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { command } from '#kernel/server/handler.ts';
import { addSkuPrice, revokeSkuPrice } from '../../contract/calls/skus.ts';
import { priceTypes } from '../../contract/dictionaries.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { takesEffectAtOnce } from '../../contract/rules/price.ts';
import { medicineRecords, skuRecords } from '../access.ts';
import { openApply } from '../applies/openApply.ts';
import { ownTx } from '../database.ts';
import { publishMedicine } from '../medicines/medicineEvents.ts';
import { requirePriceFits, insertPrice, priceOn, withdrawPrice } from './prices.ts';

/** A small change for a later day is written; any other waits for somebody else's approval (R3). */
export const addPrice = command(addSkuPrice, async (input, ctx) => {
  ctx.requirePermission(pharmaPermissions['price.edit']);
  const tx = ownTx(ctx.tx);
  if (input.effectiveFrom < ctx.today)
    throw refuse(pharmaErrors.PRICE_DATE_PAST, { fields: [{ path: 'effectiveFrom', message: pharmaErrors.PRICE_DATE_PAST.text }] });
  const provinceAdcode = input.provinceAdcode ?? '';
  if ((input.priceType === 'REIMBURSE') !== (provinceAdcode !== '')) {
    throw refuseField('provinceAdcode', input.priceType === 'REIMBURSE' ? '请选择省份' : '仅医保支付标准按省份维护');
  }
  const seen = await tx.selectFrom('pharmaSku').select('medicineId').where('id', '=', input.skuId).executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND);
  // The medicine first, then the sku: always in this order.
  const medicine = await medicineRecords.lock(ctx.tx, ctx.staff, seen.medicineId);
  const sku = await skuRecords.lock(ctx.tx, ctx.staff, input.skuId);
  const key = { skuId: sku.id, priceType: input.priceType, provinceAdcode };
  const priceFen = BigInt(input.priceFen);
  const oldFen = await priceOn(tx, key, input.effectiveFrom);
  ctx.target({ type: 'pharma.sku', id: sku.id, no: sku.goodsCode });
  const difference = {
    path: 'priceFen',
    label: priceTypes.label(input.priceType),
    before: oldFen === null ? null : yuan(oldFen),
    after: `${yuan(priceFen)}（${input.effectiveFrom}起）`,
  };
  ctx.changed([difference]);
  if (!takesEffectAtOnce({ oldFen, newFen: priceFen, effectiveFrom: input.effectiveFrom, today: ctx.today })) {
    await requirePriceFits(tx, key, { priceFen, from: input.effectiveFrom });
    const apply = await openApply(ctx, {
      applyType: 'PRICE',
      medicineId: medicine.id,
      payload: {
        ...key,
        goodsCode: sku.goodsCode,
        packSpec: sku.packSpec,
        priceFen: input.priceFen,
        effectiveFrom: input.effectiveFrom,
        reason: input.reason,
      },
      before: { priceFen: oldFen === null ? null : Number(oldFen) },
    });
    return { priceId: null, applyId: apply.id, applyNo: apply.applyNo };
  }
  const priceId = await insertPrice(tx, key, {
    priceFen,
    from: input.effectiveFrom,
    reason: input.reason,
    priceApplyId: null,
    by: ctx.staff.userId,
    now: ctx.now,
  });
  if (input.priceType === 'MARKET' && input.effectiveFrom === ctx.today && medicine.state === 'ON')
    await publishMedicine(ctx, medicine.id, ctx.today);
  return { priceId, applyId: null, applyNo: null };
});

export const revokePrice = command(revokeSkuPrice, async ({ id }, ctx) => {
  const tx = ownTx(ctx.tx);
  const seen = await tx.selectFrom('pharmaSkuPrice').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!seen) throw refuse(platformErrors.NOT_FOUND);
  const sku = await skuRecords.lock(ctx.tx, ctx.staff, seen.skuId);
  if (seen.priceType === 'SUPPLY') ctx.requirePermission(pharmaPermissions['price.supply']);
  if (seen.revokedAt !== null || seen.effectiveFrom <= ctx.today) {
    throw refuse(platformErrors.WRONG_STATE, { state: seen.revokedAt === null ? '已生效' : '已撤销' });
  }
  await withdrawPrice(
    tx,
    {
      id,
      skuId: seen.skuId,
      priceType: seen.priceType,
      provinceAdcode: seen.provinceAdcode,
      from: seen.effectiveFrom,
      to: seen.effectiveTo,
    },
    { userId: ctx.staff.userId, now: ctx.now },
  );
  ctx.target({ type: 'pharma.sku', id: sku.id, no: sku.goodsCode });
  ctx.changed([
    {
      path: 'priceFen',
      label: priceTypes.label(seen.priceType),
      before: `${yuan(seen.priceFen)}（${seen.effectiveFrom}起）`,
      after: '撤销',
    },
  ]);
  return {};
});
