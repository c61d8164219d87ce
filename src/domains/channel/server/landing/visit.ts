import { randomBytes } from 'node:crypto';
import type { Instant } from '#kernel/contract/time.ts';
import { dayOf } from '#kernel/contract/time.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

/** What is known of whoever opened a code's address. */
export interface Visit {
  visitorId: string;
  /** The cookie was there already. */
  known: boolean;
  ipHash: string;
  client: 'WECHAT' | 'WECOM' | 'ALIPAY' | 'BROWSER' | 'OTHER';
  os: string;
  isBot: boolean;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Crawlers and link previews of messengers; they name themselves. */
const BOT =
  /bot\b|spider|crawl|slurp|preview|facebookexternalhit|whatsapp\/|telegrambot|bytespider|headless|python-requests|curl\/|wget\/|go-http-client|monitor/i;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? '';

export function clientOf(agent: string): Visit['client'] {
  if (/wxwork/i.test(agent)) return 'WECOM';
  if (/micromessenger/i.test(agent)) return 'WECHAT';
  if (/alipayclient/i.test(agent)) return 'ALIPAY';
  return /mozilla/i.test(agent) ? 'BROWSER' : 'OTHER';
}

const osOf = (agent: string) =>
  /iphone|ipad/i.test(agent)
    ? 'iOS'
    : /android/i.test(agent)
      ? 'Android'
      : /windows/i.test(agent)
        ? 'Windows'
        : /mac os/i.test(agent)
          ? 'macOS'
          : /linux/i.test(agent)
            ? 'Linux'
            : '其他';

export const COOKIE = 'kq_v';
const COOKIE_SECONDS = 400 * 86_400;

/** Reads a visit from its headers. The hash of the address changes its key every day. */
export function visitOf(secrets: Secrets, headers: Headers, ip: string, now: Instant): Visit {
  const agent = one(headers['user-agent']);
  const purpose = `${one(headers['purpose'])} ${one(headers['sec-purpose'])} ${one(headers['x-moz'])} ${one(headers['x-purpose'])}`;
  const cookie = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]{22})(?:;|$)`).exec(one(headers['cookie']))?.[1];
  return {
    visitorId: cookie ?? randomBytes(16).toString('base64url'),
    known: cookie !== undefined,
    ipHash: secrets.blindIndex(`channel.ip.${dayOf(now)}`, ip),
    client: clientOf(agent),
    os: osOf(agent),
    isBot: agent === '' || BOT.test(agent) || /prefetch|preview/i.test(purpose),
  };
}

export const cookieOf = (visitorId: string): string =>
  `${COOKIE}=${visitorId}; Max-Age=${COOKIE_SECONDS}; Path=/; HttpOnly; Secure; SameSite=Lax`;
