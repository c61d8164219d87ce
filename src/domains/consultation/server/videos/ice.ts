import { createHmac } from 'node:crypto';
import type { Instant } from '#kernel/contract/time.ts';
import type { Kernel } from '#kernel/server/kernel.ts';

const LIFE_SECONDS = 3_600;

/**
 * Relays and address finders for one caller. Names of relays are time-limited: `{expiry}:{userID}`, signed with HMAC-SHA1
 * over the secret that the relay knows (coturn's use-auth-secret), good for an hour.
 */
export function iceServersFor(kernel: Kernel, userID: string, now: Instant): { urls: string[]; username?: string; credential?: string }[] {
  const { ice } = kernel.config;
  if (ice === null) return [];
  const stun = ice.stunUrls.length > 0 ? [{ urls: [...ice.stunUrls] }] : [];
  if (ice.turnUrls.length === 0 || ice.turnSecret === null) return stun;
  const username = `${Math.floor(Date.parse(now) / 1000) + LIFE_SECONDS}:${userID}`;
  return [...stun, { urls: [...ice.turnUrls], username, credential: createHmac('sha1', ice.turnSecret).update(username).digest('base64') }];
}
