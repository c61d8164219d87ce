import { useCallback, useEffect, useRef, useState } from 'react';
import type { InputOf } from '../../../../../kernel/contract/call.ts';
import { send } from '../../../../../kernel/web/http/client.ts';
import { failureText } from '../../../../../kernel/web/http/refusal.ts';
import { toastError } from '../../../../../kernel/web/feedback/toast.ts';
import { saveQualApplyWork, type QualCheckRow, type QualDetail } from '../../../contract/qualCalls.ts';

const SAVE_MS = 300;
type Saved = InputOf<typeof saveQualApplyWork>;
export type CertWork = Omit<NonNullable<Saved['certs']>[number], 'id'>;
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed';

/** What the auditor finds, kept 300 ms after he stops: verdicts, readings, proofs. A case that was lost tells so. */
export function useWork(data: QualDetail | undefined, onLost: () => void) {
  const [checks, setChecks] = useState<readonly QualCheckRow[]>([]);
  const [certs, setCerts] = useState<Readonly<Record<string, CertWork>>>({});
  const [state, setState] = useState<SaveState>('idle');
  const pending = useRef({ checks: new Set<string>(), certs: new Set<string>(), timer: undefined as ReturnType<typeof setTimeout> | undefined, flying: null as Promise<boolean> | null });
  const latest = useRef({ data, checks, certs, onLost });
  latest.current = { data, checks, certs, onLost };

  useEffect(() => {
    setCerts({});
    setState('idle');
  }, [data?.id]);
  useEffect(() => {
    // What was judged here and is not stored yet stays.
    if (data) setChecks((known) => data.checks.map((check) => (pending.current.checks.has(check.checkCode) ? (known.find(({ checkCode }) => checkCode === check.checkCode) ?? check) : check)));
  }, [data]);

  const flush = useCallback(async (): Promise<boolean> => {
    const { current: waiting } = pending;
    clearTimeout(waiting.timer);
    // Taken at once: the operator may be at the next case before the former save has ended.
    const { data: now, checks: rows, certs: readings } = latest.current;
    const token = now?.lease?.token;
    const former = waiting.flying;
    if (!now || !token || (waiting.checks.size === 0 && waiting.certs.size === 0)) return former ?? true;
    const input = {
      applyId: now.id, leaseToken: token, checks: rows.filter(({ checkCode }) => waiting.checks.has(checkCode)).map(({ checkCode, humanVerdict, note }) => ({ checkCode, humanVerdict, note })),
      certs: [...waiting.certs].map((id) => ({ id, ...readings[id] })),
    };
    waiting.checks.clear();
    waiting.certs.clear();
    setState('saving');
    const flying = (async () => {
      await former;
      try {
        const answer = await send(saveQualApplyWork, input, { quiet: true });
        if (latest.current.data?.id === now.id) {
          setChecks((known) => answer.checks.map((check) => (waiting.checks.has(check.checkCode) ? (known.find(({ checkCode }) => checkCode === check.checkCode) ?? check) : check)));
          setState('saved');
        }
        return true;
      } catch (error) {
        setState('failed');
        toastError(failureText(error));
        latest.current.onLost();
        return false;
      }
    })();
    waiting.flying = flying;
    return flying;
  }, []);
  const later = useCallback(() => {
    clearTimeout(pending.current.timer);
    pending.current.timer = setTimeout(() => void flush(), SAVE_MS);
  }, [flush]);
  useEffect(() => () => clearTimeout(pending.current.timer), []);

  const judge = useCallback(
    (codes: readonly string[], change: Partial<Pick<QualCheckRow, 'humanVerdict' | 'note'>>) => {
      for (const code of codes) pending.current.checks.add(code);
      setChecks((known) => known.map((check) => (codes.includes(check.checkCode) ? { ...check, ...change } : check)));
      later();
    },
    [later],
  );
  const confirm = useCallback(
    (id: string, change: CertWork) => {
      pending.current.certs.add(id);
      setCerts((known) => ({ ...known, [id]: { ...known[id], ...change, extracted: { ...known[id]?.extracted, ...change.extracted } } }));
      later();
    },
    [later],
  );
  return { checks, certs, state, judge, confirm, flush };
}
