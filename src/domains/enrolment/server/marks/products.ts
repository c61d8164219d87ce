import { refuseField } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getProducts } from '#domains/insurance/server/index.ts';

/** Products of the HMO line, each once. @throws Refusal SCM90020 at 适用产品 for others */
export async function requireHmoProducts(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const found = await getProducts(tx, wanted);
  if (found.length < wanted.length) throw refuseField('productIds', '适用产品不存在或已删除，请重新选择');
  const other = found.find(({ productLine }) => productLine !== 'HMO');
  if (other) throw refuseField('productIds', `${other.productName}不是HMO产品，请重新选择`);
  return wanted;
}

/** What the products of marks are called, in one statement. */
export async function productNamesOf(db: Db, marks: readonly { productIds: readonly string[] }[]) {
  const ids = [...new Set(marks.flatMap(({ productIds }) => productIds))];
  const names = new Map(ids.length === 0 ? [] : (await getProducts(db, ids)).map(({ productId, productName }) => [productId, productName]));
  return ({ productIds }: { productIds: readonly string[] }): string[] => productIds.map((id) => names.get(id) ?? `产品${id}`);
}
