import { showInstant } from '#kernel/contract/time.ts';
import type { Instant } from '#kernel/contract/time.ts';

const HOUR_MS = 3_600_000;
const SOON_HOURS = 24;
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `1.2 MB` */
export function fileSize(bytes: number | null): string {
  if (bytes === null) return '—';
  const step = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${UNITS[step]}`;
}

/** `23小时后过期`, red under a day. */
export function Expiry({ at, expired }: { at: Instant | null; expired: boolean }) {
  if (at === null) return <>—</>;
  const hours = Math.floor((Date.parse(at) - Date.now()) / HOUR_MS);
  if (expired || hours < 0) return <span className="kq-muted">已过期</span>;
  const text = hours < SOON_HOURS ? (hours < 1 ? '1小时内过期' : `${hours}小时后过期`) : `${Math.floor(hours / 24)}天后过期`;
  return (
    <span className={hours < SOON_HOURS ? 'kq-soon' : ''} title={showInstant(at)}>
      {text}
    </span>
  );
}
