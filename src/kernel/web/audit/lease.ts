import { useEffect, useRef } from 'react';
import { showInstant } from '../../contract/time.ts';
import { afterPaint } from '../kit/afterPaint.ts';

const HEARTBEAT_MS = 60_000;

/** Who works on a case of a queue, until when unless he says that he is still there. */
interface Lease {
  displayName: string;
  mine: boolean;
  until: string;
}

/** `由我处理，至10:45`, `陈立正在处理`, nothing for a case that is free. */
export function leaseText(lease: Lease | null): string {
  if (!lease) return '';
  return lease.mine ? `由我处理，至${showInstant(lease.until).slice(11, 16)}` : `${lease.displayName}正在处理`;
}

interface Holding {
  /** The case that is shown; undefined until it is read. */
  caseId: string | undefined;
  /** It is free, and who looks at it works on it. */
  takes: boolean;
  held: boolean;
  take(caseId: string): void;
  /** Says that one is still there. */
  beat(caseId: string): Promise<unknown>;
  /** The case is no longer one's own. */
  onLost(): void;
}

/** Keeps the shown case of a queue for whoever works on it: taken when it is painted, kept alive each minute. */
export function useHolding(holding: Holding): void {
  const { caseId, takes, held } = holding;
  const latest = useRef(holding);
  latest.current = holding;
  useEffect(() => (takes && caseId !== undefined ? afterPaint(() => latest.current.take(caseId)) : undefined), [takes, caseId]);
  useEffect(() => {
    if (!held || caseId === undefined) return undefined;
    const timer = setInterval(() => void latest.current.beat(caseId).catch(() => latest.current.onLost()), HEARTBEAT_MS);
    return () => clearInterval(timer);
  }, [held, caseId]);
}
