import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import { controlClasses } from '../../contract/dictionaries.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { approvalFits, readApprovalNo, type ApprovalFacts } from '../../contract/rules/approvalNo.ts';
import { isBaseCode } from '../../contract/rules/checkDigits.ts';
import { medicineTaxAllowed } from '../../contract/rules/tax.ts';
import { medicineLabels, requiredFields, type MedicineField } from '../../contract/rules/medicineFields.ts';
import { ownTx } from '../database.ts';

const inline = (error: { text: string }, path: string) => ({ fields: [{ path, message: error.text }] });

/** Form of the number, and that it may stand on this kind of goods. @throws Refusal SCM05021 */
export function requireApproval(approvalNo: string, medicineKind: string): ApprovalFacts {
  const facts = readApprovalNo(approvalNo);
  if (!facts || !approvalFits(facts, medicineKind))
    throw refuse(pharmaErrors.APPROVAL_FORMAT, inline(pharmaErrors.APPROVAL_FORMAT, 'approvalNo'));
  return facts;
}

/** One live medicine per number; callers of one number wait for each other. @throws Refusal SCM05022 naming the other */
export async function requireFreeApproval(tx: Tx, approvalNo: string, exceptId: string | null): Promise<void> {
  await lockKeys(tx, 'pharma.approvalNo', [approvalNo]);
  let taken = ownTx(tx).selectFrom('pharmaMedicine').select('medicineNo').where('approvalNo', '=', approvalNo).where('state', '<>', 'VOID');
  if (exceptId !== null) taken = taken.where('id', '<>', exceptId);
  const other = await taken.executeTakeFirst();
  if (other) throw refuse(pharmaErrors.APPROVAL_TAKEN, { medicineNo: other.medicineNo });
}

interface Coded {
  baseCode?: string | null | undefined;
  taxCode?: string | null | undefined;
  taxRateBp?: number | null | undefined;
  taxScheme?: string | null | undefined;
}

/** Check digit of the base code, and that rate and tax code go together once all three are there. @throws Refusal SCM05036 */
export function requireCodes({ baseCode, taxCode, taxRateBp, taxScheme }: Coded): void {
  if (baseCode && !isBaseCode(baseCode)) throw refuseField('baseCode', '药品本位码须为86开头的14位数字且校验位正确');
  if (taxCode && taxRateBp !== null && taxRateBp !== undefined && taxScheme && !medicineTaxAllowed(taxCode, taxRateBp, taxScheme)) {
    throw refuse(pharmaErrors.TAX_PAIR, inline(pharmaErrors.TAX_PAIR, 'taxRateBp'));
  }
}

/** A medicine stands under a leaf. */
export async function requireLeaf(tx: Tx, categoryId: string): Promise<void> {
  const own = ownTx(tx);
  const category = await own.selectFrom('pharmaCategory').select('state').where('id', '=', categoryId).executeTakeFirst();
  const child = await own.selectFrom('pharmaCategory').select('id').where('parentId', '=', categoryId).limit(1).executeTakeFirst();
  if (!category || child) throw refuseField('categoryId', '请选择末级分类');
  if (category.state !== 'ENABLED') throw refuseField('categoryId', '该分类已停用，请选择其他分类');
}

export async function requireCompanies(tx: Tx, companies: Readonly<Record<string, string | null | undefined>>): Promise<void> {
  for (const [path, id] of Object.entries(companies)) {
    if (!id) continue;
    const company = await ownTx(tx).selectFrom('pharmaCompany').select('id').where('id', '=', id).executeTakeFirst();
    if (!company) throw refuseField(path, '所选药企不存在');
  }
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** @throws Refusal SCM05020 naming what is missing; SCM05023 for a number whose time is over */
export function requireComplete(
  medicine: Readonly<Partial<Record<MedicineField, unknown>>> & { approvalValidTo: Day | null },
  today: Day,
): void {
  const missing = requiredFields.filter((field) => isEmpty(medicine[field]));
  if (missing.length > 0) {
    throw refuse(
      pharmaErrors.INCOMPLETE,
      { fields: missing.map((field) => medicineLabels[field]).join('、') },
      {
        fields: missing.map((field) => ({ path: field, message: `请填写${medicineLabels[field]}` })),
      },
    );
  }
  requireInForce(medicine.approvalValidTo, today);
}

/** @throws Refusal SCM05023 */
function requireInForce(approvalValidTo: Day | null, today: Day): void {
  if (approvalValidTo === null || approvalValidTo < today) throw refuse(pharmaErrors.APPROVAL_EXPIRED);
}

/** What a medicine must be to be put on. @throws Refusal SCM05025, SCM05026, SCM05027, SCM05023 */
export async function requirePutOn(
  tx: Tx,
  medicine: { id: string; controlClass: string; approvalValidTo: Day | null },
  today: Day,
): Promise<void> {
  if (medicine.controlClass !== 'NONE') throw refuse(pharmaErrors.CONTROLLED, { class: controlClasses.label(medicine.controlClass) });
  const skus = await ownTx(tx)
    .selectFrom('pharmaSku as s')
    .select((eb) => [
      's.goodsCode',
      eb
        .selectFrom('pharmaSkuPrice as p')
        .whereRef('p.skuId', '=', 's.id')
        .where('p.priceType', '=', 'MARKET')
        .where('p.revokedAt', 'is', null)
        .where('p.effectiveFrom', '<=', today)
        .where((on) => on.or([on('p.effectiveTo', 'is', null), on('p.effectiveTo', '>=', today)]))
        .select('p.id')
        .as('priceId'),
    ])
    .where('s.medicineId', '=', medicine.id)
    .where('s.state', '=', 'ON')
    .where('s.saleable', '=', true)
    .orderBy('s.id')
    .execute();
  if (skus.length === 0) throw refuse(pharmaErrors.NO_SKU);
  const unpriced = skus.find((sku) => sku.priceId === null);
  if (unpriced) throw refuse(pharmaErrors.NO_PRICE, { goodsCode: unpriced.goodsCode });
  requireInForce(medicine.approvalValidTo, today);
}
