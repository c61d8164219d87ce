import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { loginIn, loginOut, modifyCancelUserInfo, queryLoginInfo, switchUserRole } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { activeAssignments } from '../session/assignments.ts';
import { hashToken } from '../session/tokens.ts';
import { loginByPassword } from './byPassword.ts';
import { loginBySms } from './bySms.ts';
import { captchaHandler } from './captcha.ts';
import { modifyPasswordHandler } from './modifyPassword.ts';
import { sendSmsCodeHandler, verifyStepUpHandler } from './stepUp.ts';

/** Ends the session of the token, whoever asks; a dead or unknown token is no failure. */
async function leave(core: IdentityCore, ctx: CommandContext): Promise<Record<string, never>> {
  if (ctx.token === null) return {};
  const session = await own(ctx.tx)
    .selectFrom('identitySession as s')
    .innerJoin('identityStaffUser as u', 'u.id', 's.userId')
    .select(['s.id', 's.userId', 'u.userName', 'u.displayName', 'u.opNo'])
    .where('s.tokenHash', '=', hashToken(ctx.token))
    .where('s.endedAt', 'is', null)
    .executeTakeFirst();
  if (!session) return {};
  await core.ends.end(ctx, { userId: session.userId, sessionId: session.id }, 'LOGOUT', ctx.now);
  await core.kernel.ports.operationLog.write(ctx.tx, {
    at: ctx.now,
    traceId: ctx.traceId,
    durationMs: 0,
    apiClientId: null,
    jobName: null,
    staff: {
      userId: session.userId,
      userName: session.userName,
      displayName: session.displayName,
      opNo: session.opNo,
      sessionId: session.id,
      sessionEndsAt: null,
      restricted: false,
      smsVerifiedAt: null,
      userRoleId: null,
      roleCode: null,
      roleName: null,
      permissions: new Set(),
      scope: { own: false, region: null, insurer: null, channel: null },
    },
    call: ctx.call?.path ?? '',
    label: '退出登录',
    kind: 'AUTH',
    targets: [{ type: 'staffUser', id: session.userId, no: session.opNo }],
    diff: [],
    input: {},
    resultCode: '0000000',
    message: '',
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    menuRouteKey: null,
    idempotencyKey: null,
  });
  return {};
}

export const loginHandlers = (core: IdentityCore): Handler[] => [
  captchaHandler(core.kernel),
  command(loginIn, (input, ctx) =>
    input.method === 'SMS'
      ? loginBySms(core, ctx, { mobile: input.mobile!, smsCode: input.smsCode! })
      : loginByPassword(core, ctx, {
          userName: input.userName!,
          password: input.password!,
          captchaId: input.captchaId!,
          captcha: input.captcha!,
        }),
  ),
  sendSmsCodeHandler(core),
  verifyStepUpHandler(core),
  query(queryLoginInfo, (_input, ctx) => core.views.of(ctx.db, ctx.staff, ctx.now)),
  modifyPasswordHandler(core),
  command(modifyCancelUserInfo, (_input, ctx) => leave(core, ctx)),
  command(loginOut, (_input, ctx) => leave(core, ctx)),
  command(switchUserRole, async ({ roleMenuId }, ctx) => {
    if (ctx.staff.restricted) throw refuse(identityErrors.MUST_CHANGE_PASSWORD);
    const mine = await activeAssignments(ctx.tx, ctx.staff.userId, dayOf(ctx.now));
    const chosen = mine.find(({ userRoleId }) => userRoleId === roleMenuId);
    if (!chosen) throw refuse(identityErrors.ROLE_NOT_YOURS);
    const { numUpdatedRows } = await own(ctx.tx)
      .updateTable('identityStaffUser')
      .set({ lastUserRoleId: roleMenuId })
      .where('id', '=', ctx.staff.userId)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw refuse(platformErrors.SESSION_EXPIRED);
    ctx.target({ type: 'userRole', id: roleMenuId });
    ctx.changed([{ path: 'role', label: '当前角色', before: ctx.staff.roleName, after: chosen.roleName }]);
    return core.views.of(ctx.tx, { sessionId: ctx.staff.sessionId, userRoleId: roleMenuId }, ctx.now);
  }),
];
