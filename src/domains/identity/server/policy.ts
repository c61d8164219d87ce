import type { Db, Tx } from '#kernel/server/context.ts';
import { policyDefaults, type SecurityPolicy } from '../contract/policy.ts';
import { own } from './database.ts';

/** Stored settings over the defaults, so that a setting added later has its default. */
export const policyOf = (settings: unknown): SecurityPolicy => ({
  ...policyDefaults,
  ...(typeof settings === 'object' && settings !== null ? settings : {}),
});

export async function loadPolicy(db: Db | Tx): Promise<SecurityPolicy> {
  const row = await own(db).selectFrom('identitySecurityPolicy').select('settings').where('id', '=', 1).executeTakeFirst();
  return policyOf(row?.settings);
}

/** Whether a low-code page is published by another person than the one who edited it. */
export const fourEyesOnPages = async (db: Db): Promise<boolean> => (await loadPolicy(db)).fourEyesLowcode;

/** What people may do with money without somebody else, in fen; read in the transaction that it binds. */
export async function cardLimits(db: Db | Tx) {
  const { cardBatchMaxYuan, cardDifferenceFactor, cardDifferenceSecondYuan } = await loadPolicy(db);
  return {
    batchMaxFen: BigInt(cardBatchMaxYuan) * 100n,
    differenceFactor: BigInt(cardDifferenceFactor),
    differenceSecondFen: BigInt(cardDifferenceSecondYuan) * 100n,
  };
}
