import { refuse } from '#kernel/contract/errors.ts';
import { seesRegion } from '#kernel/server/auth/scope.ts';
import type { ApiClient, Db, Tx } from '#kernel/server/context.ts';
import { getDrugstores } from '#domains/institution/server/index.ts';
import { cardErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { missingCard } from './readCard.ts';

/** Cards whose value an insurer of the machine's scope pays for; others do not exist for it. @throws Refusal SCM90040 */
export async function requireOwnInsurer(db: Db | Tx, { scope }: ApiClient, cardId: string): Promise<void> {
  if (scope.insurer === null) return;
  const seen =
    scope.insurer.length > 0 &&
    (await own(db)
      .selectFrom('cardCard as c')
      .innerJoin('cardType as t', 't.id', 'c.cardTypeId')
      .innerJoin('cardFunder as f', 'f.id', 't.funderId')
      .select('c.id')
      .where('c.id', '=', cardId)
      .where('t.funder', '=', 'INSURER')
      .where('f.insurerId', 'in', [...scope.insurer])
      .executeTakeFirst());
  if (!seen) throw missingCard();
}

/** Merchants are open stores of the machine's chain within its regions. @returns their names. @throws Refusal SCM17070 */
export async function ownStores(db: Db | Tx, client: ApiClient, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stores = await getDrugstores(db, [...new Set(ids)]);
  const names = new Map(
    stores
      .filter(
        ({ chainId, state, adcode }) =>
          chainId !== null && chainId === client.partyId && state === 'OPEN' && seesRegion(client.scope, adcode),
      )
      .map(({ id, name }) => [id, name]),
  );
  const foreign = ids.find((id) => !names.has(id));
  if (foreign !== undefined) throw refuse(cardErrors.FOREIGN_STORE, { id: foreign });
  return names;
}
