import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { modifyPassword } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { loadPolicy } from '../policy.ts';
import { changeToken } from '../session/change.ts';
import { publishUserChanged } from '../users/changed.ts';
import { checkPassword, setPassword } from './passwords.ts';
import { isConfirmed } from './stepUp.ts';

/** A new password: other sessions end, this one gets a new token, a first password activates the account. */
export const modifyPasswordHandler = (core: IdentityCore) =>
  command(modifyPassword, async (input, ctx) => {
    const { staff, tx, now } = ctx;
    const policy = await loadPolicy(tx);
    const user = await own(tx)
      .selectFrom('identityStaffUser')
      .select(['id', 'userName', 'displayName', 'opNo', 'state', 'passwordHash', 'mobileCipher', 'version'])
      .where('id', '=', staff.userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (input.oldPassword !== undefined && input.oldPassword !== '') {
      if (!(await checkPassword(user.passwordHash, input.oldPassword))) throw refuse(identityErrors.WRONG_OLD_PASSWORD);
    } else if (staff.smsVerifiedAt === null) {
      throw refuseField('oldPassword', '请输入原密码');
    } else if (!isConfirmed(staff.smsVerifiedAt, now, policy.stepUpMinutes)) {
      throw refuse(identityErrors.STEP_UP_NEEDED);
    }
    const mobile = user.mobileCipher ? core.kernel.secrets.decrypt(user.mobileCipher) : null;
    await setPassword(tx, { ...user, mobile }, input.newPassword, policy, now);
    ctx.target({ type: 'staffUser', id: user.id, no: user.opNo });
    if (user.state === 'PENDING') {
      await own(tx)
        .updateTable('identityStaffUser')
        .set((eb) => ({ state: 'ENABLED', version: eb('version', '+', 1) }))
        .where('id', '=', user.id)
        .execute();
      await moveState(ctx, staffUserStates, {
        targetType: 'staffUser',
        targetId: user.id,
        targetNo: user.opNo,
        action: 'activate',
        from: 'PENDING',
      });
      await publishUserChanged(ctx, { ...user, state: 'ENABLED' });
    }
    await core.ends.end(ctx, { userId: user.id, except: staff.sessionId }, 'PASSWORD', now);
    const Authorization = await changeToken(tx, staff.sessionId, now, { restricted: false }, false);
    const view = await core.views.of(tx, { sessionId: staff.sessionId, userRoleId: staff.userRoleId }, now);
    return { Authorization, ...view };
  });
