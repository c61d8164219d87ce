import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { storeLabels } from '../../contract/storeFacts.ts';
import type { StoreRecord } from '../access.ts';
import { ownTx, lockKeys } from '../database.ts';
import { requireInside } from '../hospitals/facts.ts';
import { licenceFault, requiredLicences } from '../rules/licences.ts';
import { storedAccount } from './account.ts';
import { createHash } from 'node:crypto';

/** Same address written with other spaces and signs gives the same hash. */
export const addressHash = (address: string): string =>
  createHash('sha256')
    .update(address.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .digest('hex');

interface Keys {
  uscc: string | null;
  address: string;
  nhsaCode: string | null;
  chainId: string | null;
  chainStoreCode: string | null;
}

/** @throws Refusal SCM06038 naming the store at the address; SCM90020 for a code that another store has. */
export async function requireUniqueStore(tx: Tx, keys: Keys, selfId: string | null): Promise<void> {
  const hash = addressHash(keys.address);
  const chainCode = keys.chainId !== null && keys.chainStoreCode !== null ? `${keys.chainId}:${keys.chainStoreCode}` : null;
  await lockKeys(tx, [keys.uscc && `store:${keys.uscc}:${hash}`, keys.nhsaCode, chainCode && `chain:${chainCode}`]);
  const others = ownTx(tx).selectFrom('institutionDrugstore').select('storeNo').where('id', 'is distinct from', selfId);
  if (keys.uscc !== null) {
    const there = await others
      .where('uscc', '=', keys.uscc)
      .where('addressHash', '=', hash)
      .where('state', '<>', 'CLOSED')
      .executeTakeFirst();
    if (there) throw refuse(institutionErrors.STORE_EXISTS, there);
  }
  if (keys.nhsaCode !== null) {
    const there = await others.where('nhsaCode', '=', keys.nhsaCode).where('state', '<>', 'CLOSED').executeTakeFirst();
    if (there) throw refuseField('nhsaCode', `医保编码已被门店${there.storeNo}使用`);
  }
  if (chainCode !== null) {
    const there = await others.where('chainId', '=', keys.chainId).where('chainStoreCode', '=', keys.chainStoreCode).executeTakeFirst();
    if (there) throw refuseField('chainStoreCode', `连锁店号已被门店${there.storeNo}使用`);
  }
}

/** One of each kind: the valid one, or the expired one that nothing has replaced. */
export const heldLicences = (tx: Tx, ownerType: 'DRUGSTORE' | 'CHAIN' | 'HOSPITAL', ownerId: string) =>
  ownTx(tx)
    .selectFrom('institutionLicence')
    .select(['id', 'licenceType', 'licenceNo', 'holder', 'validFrom', 'validTo', 'fileIds'])
    .where('ownerType', '=', ownerType)
    .where('ownerId', '=', ownerId)
    .where('state', 'in', ['VALID', 'EXPIRED'])
    .execute();
type HeldLicenceRow = Awaited<ReturnType<typeof heldLicences>>[number];

type Checked = Pick<StoreRecord, 'storeTags' | 'capabilities' | 'accountOf' | 'account' | 'chainId'>;

/** @throws Refusal SCM06030 or SCM06031 for the first licence that tags and capabilities lack. */
export function requireLicences(
  store: Pick<Checked, 'storeTags' | 'capabilities'>,
  held: readonly Pick<HeldLicenceRow, 'licenceType' | 'validTo'>[],
  today: Day,
): void {
  const fault = licenceFault(
    requiredLicences(store.storeTags, store.capabilities),
    held.map((licence) => ({ ...licence, fileCount: 0 })),
    today,
  );
  if (fault?.kind === 'MISSING') throw refuse(institutionErrors.LICENCE_MISSING, fault);
  if (fault?.kind === 'EXPIRED') throw refuse(institutionErrors.LICENCE_EXPIRED, fault);
}

/** The payee account is there where the store bills directly, and is the licence holder's. @throws Refusal SCM06023, SCM06043. */
export async function requirePayee(tx: Tx, store: Checked, held: readonly Pick<HeldLicenceRow, 'licenceType' | 'holder'>[]): Promise<void> {
  if (store.accountOf === 'NONE') {
    if (store.storeTags.includes('DIRECT')) throw refuse(institutionErrors.INCOMPLETE, { fields: storeLabels.account });
    return;
  }
  if (store.accountOf === 'CHAIN') {
    const chain = await ownTx(tx).selectFrom('institutionChain').select('account').where('id', '=', store.chainId).executeTakeFirst();
    if (!chain?.account) throw refuse(institutionErrors.INCOMPLETE, { fields: '连锁总部收款账户' });
    return;
  }
  const business = held.find(({ licenceType }) => licenceType === 'BUSINESS');
  if (business && storedAccount(store.account)?.companyName !== business.holder) throw refuse(institutionErrors.PAYEE_DIFFERS);
}

/** A chain's account is its licence holder's. @throws Refusal SCM06043. */
export async function requireChainPayee(tx: Tx, chainId: string, account: { companyName: string }): Promise<void> {
  const business = (await heldLicences(tx, 'CHAIN', chainId)).find(({ licenceType }) => licenceType === 'BUSINESS');
  if (business && account.companyName !== business.holder) throw refuse(institutionErrors.PAYEE_DIFFERS);
}

/** Everything that a store needs before it opens. @throws Refusal SCM06023, SCM06030 to SCM06033, SCM06035, SCM06043. */
export async function requireReady(tx: Tx, store: StoreRecord, today: Day): Promise<void> {
  const missing = (['name', 'uscc', 'address', 'phone', 'managerName'] as const).filter((key) => !store[key]);
  const labels = missing.map((key) => storeLabels[key]);
  if (store.capabilities.includes('RX') && !store.pharmacistName) labels.push(storeLabels.pharmacistName);
  if (labels.length > 0) throw refuse(institutionErrors.INCOMPLETE, { fields: labels.join('、') });
  const held = await heldLicences(tx, 'DRUGSTORE', store.id);
  requireLicences(store, held, today);
  if (store.lngE6 === null || store.latE6 === null) throw refuse(institutionErrors.NO_COORDINATES);
  requireInside(store, store.adcode);
  if (Object.keys(store.weekHours as object).length === 0) throw refuse(institutionErrors.NO_HOURS);
  await requirePayee(tx, store, held);
}
