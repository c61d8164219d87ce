import { refuse } from '../../../../kernel/contract/errors.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';
import { checkPassword, hashPassword } from './passwordHash.ts';
import { brokenPasswordRule, type PasswordOwner } from './passwordRules.ts';

/** Checks R5 and stores the password with its history. @throws SCM01011 naming the rule, SCM01012. */
export async function setPassword(
  tx: Tx,
  user: PasswordOwner & { id: string; passwordHash: string | null },
  password: string,
  policy: SecurityPolicy,
  now: Instant,
): Promise<void> {
  const rule = brokenPasswordRule(password, user, policy.passwordMinLength);
  if (rule) throw refuse(identityErrors.WEAK_PASSWORD, { rule });
  const history = await own(tx)
    .selectFrom('identityPasswordHistory')
    .select('passwordHash')
    .where('userId', '=', user.id)
    .orderBy('id', 'desc')
    .limit(policy.passwordHistory)
    .execute();
  const used = [...new Set([...(user.passwordHash ? [user.passwordHash] : []), ...history.map((one) => one.passwordHash)])];
  const matches = await Promise.all(used.map((stored) => checkPassword(stored, password)));
  if (matches.includes(true)) throw refuse(identityErrors.PASSWORD_REUSED);
  const passwordHash = await hashPassword(password);
  await own(tx)
    .updateTable('identityStaffUser')
    .set({
      passwordHash,
      passwordChangedAt: now,
      mustChangePassword: false,
      changeReason: null,
      tempPasswordExpiresAt: null,
      updatedAt: now,
    })
    .where('id', '=', user.id)
    .execute();
  await own(tx).insertInto('identityPasswordHistory').values({ userId: user.id, passwordHash, changedAt: now }).execute();
}
