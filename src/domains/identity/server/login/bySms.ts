import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { mask } from '#kernel/contract/masking.ts';
import type { LoginView } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { loadPolicy } from '../policy.ts';
import { mobileHash } from '../users/mobile.ts';
import { lockOf } from './attempts.ts';
import { trustedDevice } from './trustedDevice.ts';
import { countAddressFailure, refuseBusyAddress } from './byPassword.ts';
import { enter, enteringColumns } from './enter.ts';
import { writeLogin, type LoginResult } from './loginLog.ts';
import { smsAvailable } from './smsPort.ts';
import { takeCode } from './smsCodes.ts';

/** Login by a code sent to the mobile; a timed lock of the name holds here too. */
export async function loginBySms(core: IdentityCore, ctx: CommandContext, given: { mobile: string; smsCode: string }): Promise<LoginView> {
  if (!smsAvailable(core.kernel)) throw refuse(identityErrors.SMS_UNAVAILABLE);
  const { tx, now } = ctx;
  const typed = mask('mobile', given.mobile);
  const policy = await loadPolicy(tx);
  const user = await own(tx)
    .selectFrom('identityStaffUser')
    .select(enteringColumns)
    .where('mobileHash', '=', mobileHash(core.kernel.secrets, given.mobile))
    .where('state', '!=', 'LEFT')
    .executeTakeFirst();
  // A device that is known need not wait for the end of a lock that strangers caused, be it the name's or the address's.
  const device = user ? trustedDevice(core.kernel, ctx, user) : null;
  if (!device) await refuseBusyAddress(ctx, { userName: typed, method: 'SMS' });
  const right = await takeCode(core.kernel, tx, { mobile: given.mobile, code: given.smsCode, purpose: 'LOGIN' }, now);
  const attempt = { userName: user?.userName ?? typed, method: 'SMS' as const };
  const log = (result: LoginResult) =>
    writeLogin(tx, { ...attempt, userId: user?.id ?? null, result, ip: ctx.ip, userAgent: ctx.userAgent, at: now });
  if (!right || !user) {
    if (!device) await countAddressFailure(ctx, policy);
    await log('BAD_CODE');
    throw refuse(identityErrors.BAD_SMS_CODE, { keepWrites: true });
  }
  const locked = device ? null : await lockOf(tx, user, now, policy);
  if (locked !== null) {
    await log('LOCKED');
    throw refuse(identityErrors.LOCKED, { n: locked }, { keepWrites: true });
  }
  return enter(core, ctx, user, { ...attempt, device }, policy);
}
