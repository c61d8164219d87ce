import type { ReferenceData } from '#kernel/server/module.ts';
import { policyDefaults } from '../../contract/policy.ts';
import { json, own } from '../database.ts';

/** The one row of the security policy; what staff set stays. */
export const policyReference: ReferenceData = {
  name: 'identity.policy',
  content: policyDefaults,
  async write(tx, now) {
    await own(tx)
      .insertInto('identitySecurityPolicy')
      .values({ id: 1, settings: json({}), updatedAt: now })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  },
};
