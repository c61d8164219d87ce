import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { LoginView } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import { staffUserStates } from '../../contract/states.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { loadPolicy } from '../policy.ts';
import { publishUserChanged } from '../users/changed.ts';
import {
  addressWait,
  afterAddressFailure,
  afterFailure,
  ipKey,
  lockAttempts,
  lockedMinutes,
  readAttempts,
  storeAttempts,
  userKey,
} from './attempts.ts';
import { takeCaptcha } from './captcha.ts';
import { enter, enteringColumns, type EnteringUser } from './enter.ts';
import { writeLogin, type LoginResult } from './loginLog.ts';
import { deviceKey, trustedDevice } from './trustedDevice.ts';
import { countUse, waitOf } from '#kernel/server/command/rateLimit.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { checkPassword } from './passwords.ts';

/**
 * Counts a failure of an address (all ways in); after the limit strangers there have to wait. Many people share an address: a device that
 * is known is counted and locked by itself, and a name that is locked already adds nothing.
 */
export async function countAddressFailure(ctx: CommandContext, policy: SecurityPolicy): Promise<void> {
  const state = await lockAttempts(ctx.tx, ipKey(ctx.ip), ctx.now);
  await storeAttempts(ctx.tx, ipKey(ctx.ip), afterAddressFailure(state, ctx.now, policy.ipFailureLimit), ctx.now);
}

/** Wrong pictures of one name from one address within a minute; more of them are a script. */
const WRONG_PICTURES = 10;

/**
 * A picture costs nobody anything, wrong answers to it are a script's: they make that name wait at that address, and nobody else there.
 * @throws SCM01002, SCM90011
 */
export async function requireCaptcha(
  kernel: Kernel,
  ctx: CommandContext,
  given: { name: string; captchaId: string; captcha: string },
): Promise<void> {
  const right = await takeCaptcha(kernel, ctx.tx, given, ctx.now);
  const key = `captcha:${userKey(given.name)}:${ctx.ip}`;
  const wait = await (right ? waitOf : countUse)(ctx.tx, key, { max: WRONG_PICTURES, seconds: 60 }, ctx.now);
  if (wait > 0) throw refuse(platformErrors.TOO_FREQUENT, { n: wait }, { keepWrites: true });
  if (!right) throw refuse(identityErrors.BAD_CAPTCHA, { keepWrites: true });
}

/** @throws SCM90011 while strangers at an address have to wait; the try is written to the login log. */
export async function refuseBusyAddress(ctx: CommandContext, attempt: { userName: string; method: 'PASSWORD' | 'SMS' }): Promise<void> {
  const wait = addressWait(await readAttempts(ctx.tx, ipKey(ctx.ip)), ctx.now);
  if (wait === 0) return;
  await writeLogin(ctx.tx, { ...attempt, userId: null, result: 'RATE', ip: ctx.ip, userAgent: ctx.userAgent, at: ctx.now });
  throw refuse(platformErrors.TOO_FREQUENT, { n: wait }, { keepWrites: true });
}

/** R4: captcha, then address, then the lock of the name, then the password; every outcome leaves its row. */
export async function loginByPassword(
  core: IdentityCore,
  ctx: CommandContext,
  given: { userName: string; password: string; captchaId: string; captcha: string },
): Promise<LoginView> {
  const { tx, now } = ctx;
  await requireCaptcha(core.kernel, ctx, { ...given, name: given.userName });
  const policy = await loadPolicy(tx);
  const user = await own(tx)
    .selectFrom('identityStaffUser')
    .select(enteringColumns)
    .where((eb) => eb(eb.fn<string>('lower', ['userName']), '=', given.userName.toLowerCase()))
    .executeTakeFirst();
  const known = user ? trustedDevice(core.kernel, ctx, user) : null;
  // Before the password, so that nobody who waits learns whether it is right.
  if (!known) await refuseBusyAddress(ctx, { userName: given.userName, method: 'PASSWORD' });
  // Before the lock on the counters, so that fifty parallel tries compute side by side.
  const right = await checkPassword(user?.passwordHash ?? null, given.password);

  const ofDevice = known ? await lockAttempts(tx, deviceKey(known), now) : null;
  // A device from which too much was tried is a stranger's again.
  const device = ofDevice && !ofDevice.hardLocked ? known : null;
  if (known && !device) await refuseBusyAddress(ctx, { userName: given.userName, method: 'PASSWORD' });
  const key = device ? deviceKey(device) : userKey(given.userName);
  const state = device && ofDevice ? ofDevice : await lockAttempts(tx, key, now);
  const log = (result: LoginResult) =>
    writeLogin(tx, {
      userName: given.userName,
      userId: user?.id ?? null,
      method: 'PASSWORD',
      result,
      ip: ctx.ip,
      userAgent: ctx.userAgent,
      at: now,
    });
  const locked = lockedMinutes(state, now, policy) ?? (user?.state === 'LOCKED' && !device ? policy.lockMinutes : null);
  if (locked !== null) {
    await log('LOCKED');
    throw refuse(identityErrors.LOCKED, { n: locked }, { keepWrites: true });
  }
  if (!user || !right) {
    const failure = afterFailure(state, now, policy);
    await storeAttempts(tx, key, failure.state, now);
    if (!device) await countAddressFailure(ctx, policy);
    await log('BAD_PASSWORD');
    if (!failure.lockedNow) throw refuse(identityErrors.BAD_CREDENTIALS, { keepWrites: true });
    if (failure.state.hardLocked && user && !device) await lockAccount(core, ctx, user);
    throw refuse(identityErrors.LOCKED, { n: policy.lockMinutes }, { keepWrites: true });
  }
  return enter(core, ctx, user, { userName: given.userName, method: 'PASSWORD', device }, policy);
}

/** The third lock within a day: the account stays locked until somebody unlocks it. */
async function lockAccount(core: IdentityCore, ctx: CommandContext, user: EnteringUser): Promise<void> {
  if (user.state !== 'ENABLED') return;
  const updated = await own(ctx.tx)
    .updateTable('identityStaffUser')
    .set((eb) => ({ state: 'LOCKED', version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', user.id)
    .where('state', '=', 'ENABLED')
    .returning('id')
    .executeTakeFirst();
  if (!updated) return;
  await moveState(ctx, staffUserStates, {
    targetType: 'staffUser',
    targetId: user.id,
    targetNo: user.opNo,
    action: 'lock',
    from: 'ENABLED',
  });
  await publishUserChanged(ctx, { ...user, state: 'LOCKED' });
  await core.kernel.ports.notices.addAlert(
    ctx.tx,
    {
      businessKey: `user-locked:${user.id}:${ctx.now}`,
      title: `账号已锁定：${user.displayName}（${user.opNo}）`,
      body: `该账号24小时内多次被锁定，需人工解锁。最近一次来自 ${ctx.ip}。`,
      link: `/userManagement?opNo=${user.opNo}`,
      permission: 'identity.user.unlock',
    },
    ctx.now,
  );
}
