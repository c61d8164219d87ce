import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext, Context, Db } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { sendSmsCode, verifyStepUp } from '../../contract/calls/login.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';
import { loadPolicy } from '../policy.ts';
import { changeToken } from '../session/change.ts';
import { hashToken } from '../session/tokens.ts';
import { mobileHash } from '../users/mobile.ts';
import { requireCaptcha } from './byPassword.ts';
import { checkPassword } from './passwords.ts';
import { sendCode, takeCode } from './smsCodes.ts';
import { smsAvailable } from './smsPort.ts';

/** Whether the identity of a session was confirmed recently enough. */
export const isConfirmed = (smsVerifiedAt: Instant | null, now: Instant, stepUpMinutes: number): boolean =>
  smsVerifiedAt !== null && plusMs(smsVerifiedAt, minutes(stepUpMinutes)) >= now;

/** @throws SCM01014 where the caller's identity was not confirmed lately; somebody without a mobile confirms by password. */
export async function requireStepUp(db: Db, ctx: Context): Promise<void> {
  const { stepUpMinutes } = await loadPolicy(db);
  if (!isConfirmed(ctx.staff.smsVerifiedAt, ctx.now, stepUpMinutes)) throw refuse(identityErrors.STEP_UP_NEEDED);
}

const ownMobile = async (core: IdentityCore, db: Db, userId: string): Promise<string | null> => {
  const row = await own(db).selectFrom('identityStaffUser').select('mobileCipher').where('id', '=', userId).executeTakeFirst();
  return row?.mobileCipher ? core.kernel.secrets.decrypt(row.mobileCipher) : null;
};

/** The call is public for the login page; a confirmation belongs to the session of its token. @throws SCM90002. */
async function userOfToken(ctx: CommandContext): Promise<string> {
  const hash = ctx.token === null ? null : hashToken(ctx.token);
  const session =
    hash &&
    (await own(ctx.tx)
      .selectFrom('identitySession')
      .select('userId')
      .where((eb) =>
        eb.or([eb('tokenHash', '=', hash), eb.and([eb('previousTokenHash', '=', hash), eb('previousValidUntil', '>=', ctx.now)])]),
      )
      .where('endedAt', 'is', null)
      .where('idleExpiresAt', '>', ctx.now)
      .where('absoluteExpiresAt', '>', ctx.now)
      .executeTakeFirst());
  if (!session) throw refuse(platformErrors.SESSION_EXPIRED);
  return session.userId;
}

export const sendSmsCodeHandler = (core: IdentityCore) =>
  command(sendSmsCode, async (input, ctx) => {
    if (!smsAvailable(core.kernel)) throw refuse(identityErrors.SMS_UNAVAILABLE);
    const policy = await loadPolicy(ctx.tx);
    if (input.purpose === 'STEP_UP') {
      const userId = await userOfToken(ctx);
      const mobile = await ownMobile(core, ctx.tx, userId);
      if (mobile === null) throw refuse(identityErrors.SMS_UNAVAILABLE, { message: '您尚未登记手机号，请使用密码确认身份' });
      return { resendIn: await sendCode(core.kernel, ctx, { mobile, known: true, purpose: 'STEP_UP', ip: ctx.ip }, policy, ctx.now) };
    }
    if (input.mobile === undefined) throw refuseField('mobile', '请输入正确的手机号');
    const { captchaId, captcha } = input;
    if (captchaId === undefined || captcha === undefined) throw refuseField('captcha', '请输入图形验证码');
    await requireCaptcha(core.kernel, ctx, { name: input.mobile, captchaId, captcha });
    const user = await own(ctx.tx)
      .selectFrom('identityStaffUser')
      .select('id')
      .where('mobileHash', '=', mobileHash(core.kernel.secrets, input.mobile))
      .where('state', 'in', ['PENDING', 'ENABLED', 'LOCKED'])
      .executeTakeFirst();
    const request = { mobile: input.mobile, known: user !== undefined, purpose: 'LOGIN' as const, ip: ctx.ip };
    return { resendIn: await sendCode(core.kernel, ctx, request, policy, ctx.now) };
  });

export const verifyStepUpHandler = (core: IdentityCore) =>
  command(verifyStepUp, async (input, ctx) => {
    const { staff, tx, now } = ctx;
    const mobile = await ownMobile(core, tx, staff.userId);
    const byCode = smsAvailable(core.kernel) && mobile !== null;
    if (byCode) {
      if (input.smsCode === undefined) throw refuseField('smsCode', '请输入短信验证码');
      if (!(await takeCode(core.kernel, tx, { mobile, code: input.smsCode, purpose: 'STEP_UP' }, now))) {
        throw refuse(identityErrors.BAD_SMS_CODE, { keepWrites: true });
      }
    } else {
      if (input.password === undefined) throw refuseField('password', '请输入密码');
      const user = await own(tx).selectFrom('identityStaffUser').select('passwordHash').where('id', '=', staff.userId).executeTakeFirst();
      if (!(await checkPassword(user?.passwordHash ?? null, input.password))) throw refuse(identityErrors.WRONG_OLD_PASSWORD);
    }
    const token = await changeToken(tx, staff.sessionId, now, { smsVerifiedAt: now }, true);
    ctx.target({ type: 'staffUser', id: staff.userId, no: staff.opNo });
    ctx.header('X-New-Authorization', token);
    return { smsVerifiedAt: now };
  });
