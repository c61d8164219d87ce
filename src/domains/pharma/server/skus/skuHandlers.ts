import { noteWritten } from '#kernel/server/audit/fourEyes.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { differencesOf } from '#kernel/server/command/differences.ts';
import { nextSerial } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { addSku, changeSkuState, modifySku, type SkuRow } from '../../contract/calls/skus.ts';
import { skuLabels } from '../../contract/labels.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { skuMachine } from '../../contract/states.ts';
import { medicineRecords, skuRecords } from '../access.ts';
import { ownTx, type PharmaDb } from '../database.ts';
import { publishMedicine } from '../medicines/medicineEvents.ts';
import { priceSql } from './prices.ts';

/** What a role sees of prices. */
export interface PriceSight {
  market: boolean;
  supply: boolean;
}
const ALL: PriceSight = { market: true, supply: true };

const fenOrNull = (seen: boolean, fen: string | null) => (seen && fen !== null ? Number(fen) : null);

export async function skusWhere(
  db: PharmaDb,
  by: { medicineId: string } | { id: string },
  today: Day,
  sight: PriceSight = ALL,
): Promise<SkuRow[]> {
  let query = db
    .selectFrom('pharmaSku as s')
    .select([
      's.id',
      's.goodsCode',
      's.barcode',
      's.medicineId',
      's.packSpec',
      's.packUnits',
      's.unit',
      's.minQty',
      's.maxQtyPerOrder',
      's.weightG',
      's.lengthMm',
      's.widthMm',
      's.heightMm',
      's.traceable',
      's.saleable',
      's.state',
      's.version',
      priceSql('s.id', 'MARKET', today).as('market'),
      priceSql('s.id', 'SUPPLY', today).as('supply'),
    ]);
  query = 'id' in by ? query.where('s.id', '=', by.id) : query.where('s.medicineId', '=', by.medicineId);
  const rows = await query.orderBy('s.id').execute();
  return rows.map(({ market, supply, ...row }) => ({
    ...row,
    marketFen: fenOrNull(sight.market, market),
    supplyFen: fenOrNull(sight.supply, supply),
  }));
}

type SkuInput = Omit<CheckedInputOf<typeof addSku>, 'medicineId'>;

const inline = (error: { text: string }, path: string) => ({ fields: [{ path, message: error.text }] });

async function skuColumns(ctx: CommandContext, medicineId: string, input: SkuInput, exceptId: string | null) {
  const barcode = input.barcode ? input.barcode : null;
  if (barcode !== null) await lockKeys(ctx.tx, 'pharma.barcode', [barcode]);
  const others = await ownTx(ctx.tx)
    .selectFrom('pharmaSku')
    .select(['id', 'barcode', 'packSpec', 'medicineId', 'goodsCode'])
    .where((eb) =>
      eb.or([
        eb.and([eb('medicineId', '=', medicineId), eb('packSpec', '=', input.packSpec)]),
        ...(barcode === null ? [] : [eb('barcode', '=', barcode)]),
      ]),
    )
    .execute();
  for (const other of others) {
    if (other.id === exceptId) continue;
    if (other.medicineId === medicineId && other.packSpec === input.packSpec)
      throw refuse(pharmaErrors.SPEC_TAKEN, inline(pharmaErrors.SPEC_TAKEN, 'packSpec'));
    throw refuseField('barcode', `条形码已被商品${other.goodsCode}使用`);
  }
  return {
    barcode,
    packSpec: input.packSpec,
    packUnits: input.packUnits,
    unit: input.unit,
    minQty: input.minQty,
    maxQtyPerOrder: input.maxQtyPerOrder,
    weightG: input.weightG ?? null,
    lengthMm: input.lengthMm ?? null,
    widthMm: input.widthMm ?? null,
    heightMm: input.heightMm ?? null,
    traceable: input.traceable,
    saleable: input.saleable,
  };
}

export const addSkuHandler = command(addSku, async ({ medicineId, ...input }, ctx) => {
  const medicine = await medicineRecords.lock(ctx.tx, ctx.staff, medicineId);
  if (medicine.state === 'VOID') throw refuseField('medicineId', '药品已作废');
  const columns = await skuColumns(ctx, medicineId, input, null);
  const goodsCode = await nextSerial(ctx.tx, 'G', 8);
  const { id } = await ownTx(ctx.tx)
    .insertInto('pharmaSku')
    .values({ ...columns, goodsCode, medicineId, state: 'ON', ...createdColumns(ctx) })
    .returning('id')
    .executeTakeFirstOrThrow();
  ctx.target({ type: 'pharma.sku', id, no: goodsCode });
  await noteWritten(ctx, ctx.staff.userId, 'pharma.medicine', [medicineId]);
  ctx.changed(differencesOf({}, columns, skuLabels));
  if (medicine.state === 'ON') await publishMedicine(ctx, medicineId, ctx.today);
  return (await skusWhere(ownTx(ctx.tx), { id }, ctx.today))[0]!;
});

/** The medicine first, then the sku: always in this order. */
async function lockSku(ctx: CommandContext, id: string, version: number) {
  const seen = await ownTx(ctx.tx).selectFrom('pharmaSku').select('medicineId').where('id', '=', id).executeTakeFirst();
  const medicine = seen ? await medicineRecords.lock(ctx.tx, ctx.staff, seen.medicineId) : null;
  const stored = await skuRecords.lock(ctx.tx, ctx.staff, id);
  const current = (await skusWhere(ownTx(ctx.tx), { id }, ctx.today))[0]!;
  await requireVersion(ctx, 'pharma.sku', stored, version, () => current);
  return { medicine: medicine!, stored, current };
}

/** A medicine that is on keeps something to sell, with a price. @throws Refusal SCM05029 */
async function requireAnother(ctx: CommandContext, medicine: { id: string; state: string }, skuId: string): Promise<void> {
  if (medicine.state !== 'ON') return;
  const other = await ownTx(ctx.tx)
    .selectFrom('pharmaSku')
    .select('id')
    .where('medicineId', '=', medicine.id)
    .where('id', '<>', skuId)
    .where('state', '=', 'ON')
    .where('saleable', '=', true)
    .where(priceSql('pharmaSku.id', 'MARKET', ctx.today), 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw refuse(pharmaErrors.LAST_SKU);
}

export const modifySkuHandler = command(modifySku, async ({ id, version, ...input }, ctx) => {
  const { medicine, stored, current } = await lockSku(ctx, id, version);
  const columns = await skuColumns(ctx, stored.medicineId, input, id);
  if (current.state === 'ON' && current.saleable && !columns.saleable) await requireAnother(ctx, medicine, id);
  await ownTx(ctx.tx)
    .updateTable('pharmaSku')
    .set({ ...columns, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  await noteWritten(ctx, ctx.staff.userId, 'pharma.medicine', [medicine.id]);
  await moveState(ctx, skuMachine, {
    targetType: 'pharma.sku',
    targetId: id,
    targetNo: stored.goodsCode,
    action: 'modify',
    from: current.state,
    differences: differencesOf(current, columns, skuLabels),
  });
  if (medicine.state === 'ON') await publishMedicine(ctx, medicine.id, ctx.today);
  return (await skusWhere(ownTx(ctx.tx), { id }, ctx.today))[0]!;
});

export const changeSku = command(changeSkuState, async ({ id, version, action, opinion }, ctx) => {
  const { medicine, stored, current } = await lockSku(ctx, id, version);
  const tx = ownTx(ctx.tx);
  if (action === 'off') await requireAnother(ctx, medicine, id);
  if (action === 'on' && medicine.state === 'ON' && current.marketFen === null)
    throw refuse(pharmaErrors.NO_PRICE, { goodsCode: stored.goodsCode });
  const state = await moveState(ctx, skuMachine, {
    targetType: 'pharma.sku',
    targetId: id,
    targetNo: stored.goodsCode,
    action,
    from: current.state,
    opinion,
  });
  await tx
    .updateTable('pharmaSku')
    .set({ state, version: version + 1, ...updatedColumns(ctx) })
    .where('id', '=', id)
    .execute();
  if (medicine.state === 'ON') await publishMedicine(ctx, medicine.id, ctx.today);
  return actionAnswer(ctx, skuMachine, { id, state, version: version + 1 });
});
