import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';

export interface ScanFacts {
  scanId: string;
  codeId: string;
  visitorId: string;
  issuedAt: Instant;
}

const VALID_DAYS = 30;
/** The first signs; all are accepted, so that a new one can be put in front while old proofs are still out. */
const KEYS = ['k2', 'k1'] as const;
const purposeOf = (key: string) => `channel.scan.${key}`;

/** Proof of a scan: it attributes, it authorises nothing. */
export function signScan(secrets: Secrets, facts: ScanFacts): string {
  const body = Buffer.from([facts.scanId, facts.codeId, facts.visitorId, Date.parse(facts.issuedAt)].join('.')).toString('base64url');
  return `${body}.${KEYS[0]}.${secrets.sign(purposeOf(KEYS[0]), body)}`;
}

/** The facts of a proof; null when it was changed or is older than 30 days. */
export function readScan(secrets: Secrets, token: string, now: Instant): ScanFacts | null {
  const [body = '', key = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !KEYS.some((one) => one === key) || !secrets.verify(purposeOf(key), body, signature)) return null;
  const [scanId = '', codeId = '', visitorId = '', at = ''] = Buffer.from(body, 'base64url').toString().split('.');
  const issuedAt = new Date(Number(at)).toISOString();
  if (plusMs(issuedAt, days(VALID_DAYS)) < now) return null;
  return { scanId, codeId, visitorId, issuedAt };
}
