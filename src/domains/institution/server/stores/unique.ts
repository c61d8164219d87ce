import { createHash } from 'node:crypto';
import { refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { institutionErrors } from '../../contract/errors.ts';
import { lockKeys, ownTx } from '../database.ts';

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
