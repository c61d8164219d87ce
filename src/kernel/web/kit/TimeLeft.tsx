import { useEffect, useState } from 'react';
import type { Instant } from '../../contract/time.ts';

const SECOND_MS = 1_000;
/** From so many hours on, days are counted. */
const LONG_HOURS = 72;
const two = (n: number) => String(n).padStart(2, '0');

/** Time left until a moment, second by second; red once it is over. `label` says what runs out. */
export function TimeLeft({ at, label }: { at: Instant; label?: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const left = Math.round((Date.parse(at) - now) / SECOND_MS);
  const seconds = Math.abs(left);
  const hours = Math.floor(seconds / 3600);
  const days = hours < LONG_HOURS ? 0 : Math.floor(hours / 24);
  const clock = `${days > 0 ? `${days}天 ` : ''}${two(hours - days * 24)}:${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return (
    <span className={left < 0 ? 'kq-danger kq-number' : 'kq-number'}>
      {label && `${label} `}
      {left < 0 ? `超时 ${clock}` : clock}
    </span>
  );
}
