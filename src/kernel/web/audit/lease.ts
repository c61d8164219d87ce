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

/** A case that one person at a time works on. */
interface LeasedCase {
  id: string;
  state: string;
  /** Handed in by the one who looks: nobody decides his own. */
  mine: boolean;
  lease: Lease | null;
}

interface CaseLease {
  /** The case that is shown; undefined until it is read. */
  data: LeasedCase | undefined;
  /** Whether the user may work on such cases at all. */
  allowed: boolean;
  /** The first case is taken by a click, each further one as it comes; else whoever looks at a free case works on it. */
  byHand?: boolean;
  claim(caseId: string): void;
  release(caseId: string): void;
  /** Says that one is still there. */
  beat(caseId: string): Promise<unknown>;
  /** The case is no longer one's own: it is read again, and says whose it is. */
  onLost(): void;
}

/** Keeps the shown case of a queue for whoever works on it: taken when it is painted, kept alive each minute, given back. */
export function useCaseLease(desk: CaseLease) {
  const { data, allowed, byHand = false } = desk;
  const caseId = data?.id;
  const held = data?.state === 'REVIEWING' && data.lease?.mine === true;
  const isWaiting = data?.state === 'PENDING' || data?.state === 'REVIEWING';
  const claimable = data !== undefined && !data.mine && data.lease === null && isWaiting && allowed;
  const working = useRef(!byHand);
  const latest = useRef(desk);
  latest.current = desk;
  useEffect(() => {
    if (held) working.current = true;
  }, [held]);
  useEffect(
    () => (claimable && working.current && caseId !== undefined ? afterPaint(() => latest.current.claim(caseId)) : undefined),
    [claimable, caseId],
  );
  useEffect(() => {
    if (!held || caseId === undefined) return undefined;
    const timer = setInterval(() => void latest.current.beat(caseId).catch(() => latest.current.onLost()), HEARTBEAT_MS);
    return () => clearInterval(timer);
  }, [held, caseId]);
  return {
    held,
    claimable,
    claim: () => caseId !== undefined && desk.claim(caseId),
    release: () => {
      if (caseId === undefined || !held) return;
      working.current = !byHand;
      desk.release(caseId);
    },
  };
}
