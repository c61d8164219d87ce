import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { getUserInfoByMobile, queryChecker, queryUserTrail, revealUserMobile } from '../../contract/calls/users.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { addUserHandler } from './addUser.ts';
import { checkersFor } from './checkers.ts';
import { leaveHandler } from './leave.ts';
import { userList } from './list.ts';
import { mobileHash } from './mobile.ts';
import { modifyUserHandler } from './modifyUser.ts';
import { resetPasswordHandler } from './resetPassword.ts';

export const userHandlers = (core: IdentityCore): Handler[] => [
  userList(core).handler,
  addUserHandler(core),
  modifyUserHandler(core),
  leaveHandler(core),
  resetPasswordHandler(core),

  query(queryChecker, async ({ permission, keyword, scopeOf }, { db, today }) => {
    const probe = scopeOf && core.hooks.scopeProbes?.find(({ targetType }) => targetType === scopeOf.targetType);
    const found = await checkersFor(db, { permission, today, ...(keyword ? { keyword } : {}), limit: probe ? 500 : 50 });
    const covered = [];
    for (const checker of found) {
      if (!probe || (await probe.covers(db, checker, scopeOf.targetId))) covered.push(checker);
      if (covered.length === 50) break;
    }
    return covered.map(({ userId, displayName, opNo, roleName }) => ({ userId, displayName, opNo, roleName }));
  }),

  query(getUserInfoByMobile, async ({ mobile }, { db }) => {
    const user = await own(db)
      .selectFrom('identityStaffUser')
      .select(['id as userId', 'displayName', 'opNo', 'state'])
      .where('mobileHash', '=', mobileHash(core.kernel.secrets, mobile))
      .where('state', '!=', 'LEFT')
      .executeTakeFirst();
    return user ?? null;
  }),

  command(revealUserMobile, async ({ id }, ctx) => {
    const user = await own(ctx.tx).selectFrom('identityStaffUser').select(['opNo', 'mobileCipher']).where('id', '=', id).executeTakeFirst();
    if (!user) throw refuse(platformErrors.NOT_FOUND);
    ctx.target({ type: 'staffUser', id, no: user.opNo });
    return { mobile: user.mobileCipher === null ? null : core.kernel.secrets.decrypt(user.mobileCipher) };
  }),

  query(queryUserTrail, async ({ id }, { db }) => trailOf(db, 'staffUser', id)),
];
