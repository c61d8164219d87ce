import { refuseField } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { own } from '../database.ts';

/** @throws Refusal SCM90020 where a policy goes on in another one already */
export async function requireNotRenewed(acting: Acting, policyId: string, except: string | null = null): Promise<void> {
  const renewal = await own(acting.tx)
    .selectFrom('policyPolicy')
    .select('policyNo')
    .where('renewalOfPolicyId', '=', policyId)
    .where('state', '<>', 'CANCELLED')
    .$if(except !== null, (rows) => rows.where('id', '<>', except))
    .executeTakeFirst();
  if (renewal) throw refuseField('policyId', `该保单已由保单${renewal.policyNo}续保`);
}
