import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { LoginView } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { mayEnter, openSession } from '../session/open.ts';
import { restrictionOf } from '../session/view.ts';
import { clearAttempts, lockOf, userKey } from './attempts.ts';
import { deviceKey, trustDevice } from './trustedDevice.ts';
import { writeLogin, type LoginTry } from './loginLog.ts';

export interface EnteringUser {
  id: string;
  userName: string;
  displayName: string;
  opNo: string;
  state: string;
  validFrom: string | null;
  validTo: string | null;
  passwordHash: string | null;
  passwordChangedAt: string | null;
  mustChangePassword: boolean;
  changeReason: string | null;
  tempPasswordExpiresAt: string | null;
}

export const enteringColumns = [
  'id',
  'userName',
  'displayName',
  'opNo',
  'state',
  'validFrom',
  'validTo',
  'passwordHash',
  'passwordChangedAt',
  'mustChangePassword',
  'changeReason',
  'tempPasswordExpiresAt',
] as const;

/** The last steps of both ways in, after the proof was given: may he enter, then the session and its log rows. */
export async function enter(
  core: IdentityCore,
  ctx: CommandContext,
  user: EnteringUser,
  { device, ...attempt }: Pick<LoginTry, 'userName' | 'method'> & { device: string | null },
  policy: SecurityPolicy,
): Promise<LoginView> {
  const { tx, now, ip, userAgent } = ctx;
  const refused = async (result: LoginTry['result'], error: { code: string; text: string }) => {
    await writeLogin(tx, { ...attempt, userId: user.id, result, ip, userAgent, at: now });
    return refuse(error, { keepWrites: true });
  };
  const byPassword = attempt.method === 'PASSWORD';
  if (byPassword && user.mustChangePassword && user.tempPasswordExpiresAt !== null && user.tempPasswordExpiresAt <= now) {
    throw await refused('EXPIRED_TEMP', identityErrors.TEMP_PASSWORD_EXPIRED);
  }
  // Read again under the lock: a parallel 停用 must not be overtaken by a session.
  const current = await own(tx)
    .selectFrom('identityStaffUser')
    .select(['state', 'validFrom', 'validTo'])
    .where('id', '=', user.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (!mayEnter(current, now)) throw await refused('DISABLED', identityErrors.DISABLED);

  const restricted = restrictionOf(user, now, policy) !== null;
  const { token, sessionId } = await openSession(ctx, core.ends, {
    userId: user.id,
    method: attempt.method,
    restricted,
    ip,
    userAgent,
    now,
    policy,
  });
  const pastLock = device !== null && (await lockOf(tx, user, now, policy)) !== null;
  await clearAttempts(tx, device === null ? userKey(user.userName) : deviceKey(device), false);
  await writeLogin(tx, { ...attempt, userId: user.id, result: 'OK', pastLock, ip, userAgent, sessionId, at: now });
  trustDevice(core.kernel, ctx, user);
  const view = await core.views.of(tx, { sessionId, userRoleId: null }, now);
  await own(tx).updateTable('identityStaffUser').set({ lastLoginAt: now, lastLoginIp: ip }).where('id', '=', user.id).execute();
  await core.kernel.ports.operationLog.write(tx, {
    at: now,
    traceId: ctx.traceId,
    durationMs: 0,
    apiClientId: null,
    jobName: null,
    staff: {
      userId: user.id,
      userName: user.userName,
      displayName: user.displayName,
      opNo: user.opNo,
      sessionId,
      sessionEndsAt: null,
      restricted,
      smsVerifiedAt: null,
      userRoleId: view.roleMenuId === '' ? null : view.roleMenuId,
      roleCode: view.roles.find(({ roleMenuId }) => roleMenuId === view.roleMenuId)?.roleCode ?? null,
      roleName: null,
      permissions: new Set(),
      scope: { own: false, region: null, insurer: null, channel: null },
    },
    call: ctx.call?.path ?? '',
    label: '登录',
    kind: 'AUTH',
    targets: [{ type: 'staffUser', id: user.id, no: user.opNo }],
    diff: [],
    input: { method: attempt.method },
    resultCode: '0000000',
    message: '',
    ip,
    userAgent,
    menuRouteKey: 'login',
    idempotencyKey: null,
  });
  ctx.afterCommit(() => unlink(path.join(core.kernel.config.dataDir, 'first-login.txt')).catch(() => undefined));
  return { Authorization: token, ...view };
}
