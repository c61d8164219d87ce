import type { Db, Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { storedAccount, type StoredAccount } from './account.ts';

type Owner = { storeId: string } | { chainId: string };

/** Where money goes that a store or its chain is owed: as the event says it too. */
interface PayeeAccount extends StoredAccount {
  /** Whose account it is: the store's own or its chain's. */
  ownerType: 'DRUGSTORE' | 'CHAIN';
  ownerId: string;
  /** Holder of the business licence, in whose name the account is. */
  licenceName: string;
}

/** States that a store reaches only through its audit, which looked at its account. */
const AUDITED = ['OPEN', 'SUSPENDED', 'CLOSED'];

/** An audited account with the name on its owner's licence. */
export async function payeeOf(db: Db | Tx, owner: Owner, account: StoredAccount): Promise<PayeeAccount> {
  const [ownerType, ownerId] = 'storeId' in owner ? (['DRUGSTORE', owner.storeId] as const) : (['CHAIN', owner.chainId] as const);
  const licence = await own(db)
    .selectFrom('institutionLicence')
    .select('holder')
    .where('ownerType', '=', ownerType)
    .where('ownerId', '=', ownerId)
    .where('licenceType', '=', 'BUSINESS')
    .where('state', '=', 'VALID')
    .executeTakeFirst();
  return { ownerType, ownerId, ...account, licenceName: licence?.holder ?? account.companyName };
}

/**
 * The account to which a store, or a chain, is paid: only one that a second person passed. A store that is paid through its chain is
 * answered with the chain's. The number is a cipher, which who pays decrypts.
 * @returns null where there is none, or none was audited yet
 */
export async function payeeAccountOf(db: Db | Tx, owner: Owner): Promise<PayeeAccount | null> {
  if ('chainId' in owner) {
    // What is asked for a chain waits outside of its row until it is passed.
    const chain = await own(db).selectFrom('institutionChain').select('account').where('id', '=', owner.chainId).executeTakeFirst();
    const account = storedAccount(chain?.account);
    return account === null ? null : payeeOf(db, owner, account);
  }
  const store = await own(db)
    .selectFrom('institutionDrugstore')
    .select(['state', 'accountOf', 'account', 'chainId'])
    .where('id', '=', owner.storeId)
    .executeTakeFirst();
  if (!store || !AUDITED.includes(store.state)) return null;
  if (store.accountOf === 'CHAIN') return store.chainId === null ? null : payeeAccountOf(db, { chainId: store.chainId });
  const account = storedAccount(store.account);
  return account === null ? null : payeeOf(db, owner, account);
}
