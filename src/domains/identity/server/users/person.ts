import { refuse } from '#kernel/contract/errors.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { identityErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { mobileHash } from './mobile.ts';

/** @throws SCM01021 naming who has the number. */
export async function requireFreeMobile(kernel: Kernel, tx: Tx, mobile: string | null, exceptUserId: string | null): Promise<void> {
  if (mobile === null || mobile === '') return;
  const taken = await own(tx)
    .selectFrom('identityStaffUser')
    .select(['displayName', 'opNo'])
    .where('mobileHash', '=', mobileHash(kernel.secrets, mobile))
    .where('state', '!=', 'LEFT')
    .$if(exceptUserId !== null, (select) => select.where('id', '!=', exceptUserId!))
    .executeTakeFirst();
  if (taken) throw refuse(identityErrors.MOBILE_TAKEN, taken);
}

/** @throws SCM01020; names are taken whatever their case, by former staff too. */
export async function requireFreeName(tx: Tx, userName: string): Promise<void> {
  const taken = await own(tx)
    .selectFrom('identityStaffUser')
    .select('id')
    .where((eb) => eb(eb.fn<string>('lower', ['userName']), '=', userName.toLowerCase()))
    .executeTakeFirst();
  if (taken) throw refuse(identityErrors.USER_NAME_TAKEN);
}

/** Of two parallel writers the second meets the index. */
export function uniqueRefusal(error: unknown): Error | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return null;
  const constraint = 'constraint' in error ? String(error.constraint) : '';
  if (constraint === 'identity_staff_user_name') return refuse(identityErrors.USER_NAME_TAKEN);
  if (constraint === 'identity_staff_user_mobile')
    return refuse(identityErrors.MOBILE_TAKEN, { displayName: '其他员工', opNo: '刚刚登记' });
  return null;
}
