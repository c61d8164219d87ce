import { productStatusChanged } from '#events/insurance.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Consumer, Kernel } from '#kernel/server/kernel.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { withdrawnProducts } from '../../contract/typeDictionaries.ts';
import { own } from '../database.ts';
import { on } from '../use/events.ts';

/** Nobody has to look at the type for its product any more. */
export async function forgetProduct(
  kernel: Kernel,
  tx: Tx,
  { id, productNotice }: { id: string; productNotice: string | null },
  now: Instant,
): Promise<void> {
  if (productNotice === null) return;
  await kernel.ports.notices.closeTodo(tx, productNotice, now);
  await own(tx).updateTable('cardType').set({ productNotice: null }).where('id', '=', id).execute();
}

/** Types in use of a product that is no longer sold are offered for being taken out of use; cards that people hold stay good. */
export const productConsumer = (kernel: Kernel): Consumer =>
  on(productStatusChanged, async ({ productCode, to }, { tx, now }, { eventId }) => {
    const state = withdrawnProducts.codes.find((code) => code === to) ?? null;
    const types = await own(tx)
      .selectFrom('cardType')
      .select(['id', 'typeCode', 'typeName', 'status', 'productNotice'])
      .where('productCode', '=', productCode)
      .orderBy('id')
      .forUpdate()
      .execute();
    for (const type of types) {
      await forgetProduct(kernel, tx, type, now);
      const offered = state !== null && type.status === 'ENABLED';
      const productNotice = offered ? `card.type.${type.id}.product.${eventId}` : null;
      if (offered && productNotice !== null)
        await kernel.ports.notices.addTodo(
          tx,
          {
            businessKey: productNotice,
            title: `产品${productCode}${withdrawnProducts.label(state)}，请确认是否停用卡种“${type.typeName}”`.slice(0, 60),
            link: `/cardManagement?keyword=${encodeURIComponent(type.typeCode)}`,
            permission: may['type.edit'].code,
          },
          now,
        );
      await own(tx).updateTable('cardType').set({ productState: state, productNotice }).where('id', '=', type.id).execute();
    }
  });
