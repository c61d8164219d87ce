import type { Tx, Writing } from '#kernel/server/context.ts';
import { drugstoreAccountChanged, drugstoreChanged } from '#events/institution.ts';
import type { StoreRecord } from '../access.ts';
import { ownTx } from '../database.ts';
import type { StoredAccount } from './account.ts';
import { payeeOf } from './payee.ts';

export const publishStore = (writing: Pick<Writing, 'publish'>, store: StoreRecord) =>
  writing.publish(drugstoreChanged, store.id, {
    storeId: store.id,
    name: store.name,
    chainId: store.chainId,
    state: store.state,
    storeTags: store.storeTags,
    capabilities: store.capabilities,
    adcode: store.adcode,
    address: store.address,
    lngE6: store.lngE6,
    latE6: store.latE6,
    nextExpireOn: store.nextExpireOn,
  });

/** Tells who pays stores that an audited account took effect. */
export async function publishAccount(
  writing: Pick<Writing, 'publish' | 'tx'>,
  owner: { storeId: string } | { chainId: string },
  account: StoredAccount,
): Promise<void> {
  const { ownerType: _type, ownerId, ...payee } = await payeeOf(writing.tx, owner, account);
  await writing.publish(drugstoreAccountChanged, `${'storeId' in owner ? 'store' : 'chain'}:${ownerId}`, { ...owner, ...payee });
}

/** Earliest end of the valid licences, kept on the store for lists and the job. */
export async function earliestEnd(tx: Tx, storeId: string): Promise<string | null> {
  const { day } = await ownTx(tx)
    .selectFrom('institutionLicence')
    .select((eb) => eb.fn.min('validTo').as('day'))
    .where('ownerType', '=', 'DRUGSTORE')
    .where('ownerId', '=', storeId)
    .where('state', '=', 'VALID')
    .executeTakeFirstOrThrow();
  return day;
}
