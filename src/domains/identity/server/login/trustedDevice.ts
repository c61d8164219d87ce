import { createHash, randomUUID } from 'node:crypto';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Context } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

// A device on which somebody has signed in before keeps a signed cookie of his account (OWASP, "Slow down online guessing attacks with
// device cookies"): a lock that strangers caused does not hold there, and wrong tries from there lock that device alone.

const KEPT_DAYS = 180;
const PURPOSE = 'login.device';

const digest = (text: string) => createHash('sha256').update(text).digest('hex');
/** Several people may share a device: a cookie for each. */
const cookieName = (userName: string) => `kq_device_${digest(userName.toLowerCase()).slice(0, 16)}`;

interface Account {
  id: string;
  userName: string;
}

/** Key under which wrong tries from a trusted device are counted. */
export const deviceKey = (device: string) => `device:${digest(device)}`;

/** The device that a request proves to be for this account; null: a stranger's, or its proof is too old. */
export function trustedDevice(
  { secrets }: Pick<Kernel, 'secrets'>,
  ctx: Pick<Context, 'cookie' | 'now'>,
  { id, userName }: Account,
): string | null {
  const [device = '', until = '', signature = ''] = (ctx.cookie(cookieName(userName)) ?? '').split('.');
  if (!secrets.verify(PURPOSE, `${id}.${device}.${until}`, signature)) return null;
  return Number(until) > Date.parse(ctx.now) ? device : null;
}

/** Lets this device be known from now on. */
export function trustDevice(
  { secrets, config }: Pick<Kernel, 'secrets' | 'config'>,
  ctx: Pick<Context, 'cookie' | 'now' | 'header'>,
  account: Account,
): void {
  const device = trustedDevice({ secrets }, ctx, account) ?? randomUUID();
  const until: Instant = plusMs(ctx.now, days(KEPT_DAYS));
  const value = `${device}.${Date.parse(until)}`;
  const signature = secrets.sign(PURPOSE, `${account.id}.${value}`);
  const secure = config.publicOrigin?.startsWith('https:') ? '; Secure' : '';
  ctx.header(
    'Set-Cookie',
    `${cookieName(account.userName)}=${value}.${signature}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${KEPT_DAYS * 86_400}${secure}`,
  );
}
