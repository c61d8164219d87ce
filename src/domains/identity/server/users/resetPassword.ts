import { hours, plusMs } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { command } from '#kernel/server/handler.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { resetUserPassword } from '../../contract/calls/users.ts';
import { staffUserStates } from '../../contract/states.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { randomPassword } from '../firstRun.ts';
import { clearAttempts, userKey } from '../login/attempts.ts';
import { hashPassword } from '../login/passwords.ts';
import { requireStepUp } from '../login/stepUp.ts';
import { loadPolicy } from '../policy.ts';
import { publishUserChanged } from './changed.ts';
import { lockUserVersion, refuseSelf } from './load.ts';

/** 重置密码: the administrator confirms himself first (where he has a mobile); the temporary password is answered once. */
export const resetPasswordHandler = (core: IdentityCore) =>
  command(resetUserPassword, async ({ id, version, opinion }, ctx) => {
    const { tx, now, staff } = ctx;
    const me = await own(tx).selectFrom('identityStaffUser').select('mobileHash').where('id', '=', staff.userId).executeTakeFirst();
    if (me?.mobileHash) await requireStepUp(tx, ctx);
    const user = await lockUserVersion(core, ctx, id, version);
    refuseSelf(ctx, id);
    const from = user.state;
    const state = await moveState(ctx, staffUserStates, {
      targetType: 'staffUser',
      targetId: id,
      targetNo: user.opNo,
      action: from === 'LOCKED' ? 'resetLocked' : 'resetPassword',
      from,
      opinion,
    });
    const policy = await loadPolicy(tx);
    const tempPassword = randomPassword(12);
    await own(tx)
      .updateTable('identityStaffUser')
      .set({
        state,
        passwordHash: await hashPassword(tempPassword),
        passwordChangedAt: now,
        mustChangePassword: true,
        changeReason: from === 'PENDING' ? 'FIRST' : 'RESET',
        tempPasswordExpiresAt: plusMs(now, hours(policy.tempPasswordHours)),
        version: user.version + 1,
        ...updatedColumns({ now, staff }),
      })
      .where('id', '=', id)
      .execute();
    await clearAttempts(tx, userKey(user.userName), true);
    await core.ends.end(ctx, { userId: id }, 'PASSWORD', now);
    if (state !== from) await publishUserChanged(ctx, { ...user, state });
    return { tempPassword };
  });
