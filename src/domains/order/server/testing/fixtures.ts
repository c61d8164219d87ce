import type { InputOf } from '#kernel/contract/call.ts';
import { makeChannel } from '#domains/channel/server/testing/fixtures.ts';
import { keeper as productKeeper, makeProduct } from '#domains/insurance/server/testing/products.ts';
import { makeMedicine, makeSku } from '#domains/pharma/server/testing/fixtures.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addShieldGoods } from '../../contract/calls/shield.ts';
import { orderPermissions } from '../../contract/permissions.ts';

export const NONE = '999999999';

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
