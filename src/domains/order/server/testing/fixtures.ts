import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { makeChannel } from '#domains/channel/server/testing/fixtures.ts';
import { keeper as productKeeper, makeProduct } from '#domains/insurance/server/testing/products.ts';
import { makeMedicine, makeSku } from '#domains/pharma/server/testing/fixtures.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { addShieldGoods } from '../../contract/calls/shield.ts';
import { addSupplier, auditSupplier, submitSupplier } from '../../contract/calls/supplier.ts';
import { addSupplierGoods } from '../../contract/calls/supplierGoods.ts';
import { orderPermissions } from '../../contract/permissions.ts';
import { SUPPLIER_LICENCE } from '../../contract/purposes.ts';

export const NONE = '999999999';
/** What a refusal says of which field. */
export const refusedFields = (answer: { fields?: readonly { path: string; message: string }[] | undefined }) =>
  answer.fields?.map(({ path, message }) => `${path} ${message}`);

/** Somebody who may do all that the domain offers; each call makes another person. */
export const keeper = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: Object.values(orderPermissions).map(({ code }) => code) });

/** Code of goods that nobody sells yet. */
export const makeGoods = async (app: TestApp): Promise<string> => {
  const { id } = await makeMedicine(app);
  return (await makeSku(app, id)).goodsCode;
};
export const makeProductCode = async (app: TestApp): Promise<string> => {
  const productCode = `SHD-${(made += 1)}`;
  await makeProduct(app, await productKeeper(app), { productCode });
  return productCode;
};
let made = 0;
export { makeChannel };

/** A table of the domain, as its importer was registered. */
export const importerOf = (app: TestApp, code: string) => app.kernel.registry.importers.find((one) => one.code === code)!;

type Wish = InputOf<typeof addShieldGoods>;
export const shieldInput = (app: TestApp, goodsCode: string, more: Partial<Wish> = {}): Wish => ({
  goodsCodes: [goodsCode],
  scope: 'ALL',
  reason: '厂家要求线下购买',
  effectiveFrom: app.clock.today(),
  ...more,
});
/** A setting of goods of its own. */
export async function makeShield(app: TestApp, more: Partial<Wish> = {}) {
  const goodsCode = more.goodsCodes?.[0] ?? (await makeGoods(app));
  const { ids } = await app.ok(addShieldGoods, shieldInput(app, goodsCode, more), { as: await keeper(app) });
  return { id: ids[0]!, goodsCode, version: 1 };
}

type SupplierWish = InputOf<typeof addSupplier>;
let suppliers = 0;
export const supplierInput = (app: TestApp, more: Partial<SupplierWish> = {}): SupplierWish => ({
  supplierCode: `TS${(suppliers += 1)}-${more.supplierType ?? 'B2C'}`,
  supplierName: '康桥第一药房',
  supplierType: 'B2C',
  coldChainCapable: true,
  contactName: '周晓明',
  contactMobile: '13912345678',
  licenseNo: '沪CB0210001',
  licenseExpireAt: plusDays(app.clock.today(), 400),
  freightFirstFen: 1_200,
  freightStepFen: 300,
  integration: 'PORTAL',
  ...more,
});
export interface MadeSupplier {
  id: string;
  version: number;
  supplierCode: string;
  author: TestStaff;
}
/** A draft with its licence. */
export async function makeSupplier(app: TestApp, more: Partial<SupplierWish> = {}): Promise<MadeSupplier> {
  const author = await keeper(app);
  const input = supplierInput(app, { licenseFileIds: [await uploadPaper(app, author, SUPPLIER_LICENCE)], ...more });
  const { id, version } = await app.ok(addSupplier, input, { as: author });
  return { id, version, supplierCode: input.supplierCode, author };
}
export async function makeSubmitted(app: TestApp, more: Partial<SupplierWish> = {}): Promise<MadeSupplier> {
  const made = await makeSupplier(app, more);
  const { version } = await app.ok(submitSupplier, { id: made.id, version: made.version }, { as: made.author });
  return { ...made, version };
}
export async function makeEnabled(app: TestApp, more: Partial<SupplierWish> = {}): Promise<MadeSupplier> {
  const made = await makeSubmitted(app, more);
  const { version } = await app.ok(auditSupplier, { id: made.id, version: made.version, decision: 'approve' }, { as: await keeper(app) });
  return { ...made, version };
}
/** Goods of their own in a supplier's list. */
export async function makeSupplierGoods(app: TestApp, supplierId: string) {
  const goodsCode = await makeGoods(app);
  const made = await app.ok(
    addSupplierGoods,
    { supplierId, goodsCode, supplyPriceFen: 9_800, stockQty: 50, onSale: true },
    { as: await keeper(app) },
  );
  return { ...made, goodsCode };
}
