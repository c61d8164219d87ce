import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { InputOf } from '../../../../../kernel/contract/call.ts';
import { useCaseState } from '../../../../../kernel/web/audit/caseState.ts';
import { send } from '../../../../../kernel/web/http/client.ts';
import { queryClient } from '../../../../../kernel/web/http/queries.ts';
import { failureText } from '../../../../../kernel/web/http/refusal.ts';
import { toastError } from '../../../../../kernel/web/feedback/toast.ts';
import { queryQualApplyDetail, saveQualApplyWork, type QualCheckRow, type QualDetail } from '../../../contract/qualCalls.ts';

const SAVE_MS = 300;
type Saved = InputOf<typeof saveQualApplyWork>;
export type CertWork = Omit<NonNullable<Saved['certs']>[number], 'id'>;
export type SaveState = 'idle' | 'saving' | 'saved' | 'failed';

type Judgement = Partial<Pick<QualCheckRow, 'humanVerdict' | 'note'>>;
const NO_JUDGEMENTS: Readonly<Record<string, Judgement>> = {};
const NO_READINGS: Readonly<Record<string, CertWork>> = {};
const NO_CHECKS: readonly QualCheckRow[] = [];

/** What the auditor finds, kept 300 ms after he stops: verdicts, readings, proofs. A case that was lost tells so. */
export function useWork(data: QualDetail | undefined, onLost: () => void) {
  // What was judged here and is not stored yet, over what the server has.
  const [judged, setJudged] = useCaseState(data?.id, NO_JUDGEMENTS);
  const [certs, setCerts] = useCaseState(data?.id, NO_READINGS);
  const [state, setState] = useCaseState<SaveState>(data?.id, 'idle');
  const checks = useMemo(() => data?.checks.map((check) => ({ ...check, ...judged[check.checkCode] })) ?? NO_CHECKS, [data, judged]);
  const pending = useRef({
    checks: new Set<string>(),
    certs: new Set<string>(),
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
    flying: null as Promise<boolean> | null,
  });
  const latest = useRef({ data, checks, certs, onLost });
  latest.current = { data, checks, certs, onLost };

  const flush = useCallback(async (): Promise<boolean> => {
    const { current: waiting } = pending;
    clearTimeout(waiting.timer);
    // Taken at once: the operator may be at the next case before the former save has ended.
    const { data: now, checks: rows, certs: readings } = latest.current;
    const token = now?.lease?.token;
    const former = waiting.flying;
    if (!now || !token || (waiting.checks.size === 0 && waiting.certs.size === 0)) return former ?? true;
    const input = {
      applyId: now.id,
      leaseToken: token,
      checks: rows
        .filter(({ checkCode }) => waiting.checks.has(checkCode))
        .map(({ checkCode, humanVerdict, note }) => ({ checkCode, humanVerdict, note })),
      certs: [...waiting.certs].map((id) => ({ id, ...readings[id] })),
    };
    waiting.checks.clear();
    waiting.certs.clear();
    setState('saving');
    const isShown = () => latest.current.data?.id === now.id;
    /** What was judged again meanwhile stays. */
    const forgetStored = () =>
      isShown() && setJudged((known) => Object.fromEntries(Object.entries(known).filter(([code]) => waiting.checks.has(code))));
    const flying = (async () => {
      await former;
      try {
        const answer = await send(saveQualApplyWork, input, { quiet: true });
        queryClient.setQueryData<QualDetail>(
          [queryQualApplyDetail.name, { applyId: now.id }],
          (old) => old && { ...old, checks: answer.checks },
        );
        forgetStored();
        if (isShown()) setState('saved');
        return true;
      } catch (error) {
        forgetStored();
        if (isShown()) setState('failed');
        toastError(failureText(error));
        latest.current.onLost();
        return false;
      }
    })();
    waiting.flying = flying;
    return flying;
  }, [setJudged, setState]);
  const later = useCallback(() => {
    clearTimeout(pending.current.timer);
    pending.current.timer = setTimeout(() => void flush(), SAVE_MS);
  }, [flush]);
  useEffect(() => () => clearTimeout(pending.current.timer), []);

  const judge = useCallback(
    (codes: readonly string[], change: Judgement) => {
      for (const code of codes) pending.current.checks.add(code);
      setJudged((known) => ({ ...known, ...Object.fromEntries(codes.map((code) => [code, { ...known[code], ...change }])) }));
      later();
    },
    [later, setJudged],
  );
  const confirm = useCallback(
    (id: string, change: CertWork) => {
      pending.current.certs.add(id);
      setCerts((known) => ({ ...known, [id]: { ...known[id], ...change, extracted: { ...known[id]?.extracted, ...change.extracted } } }));
      later();
    },
    [later, setCerts],
  );
  return { checks, certs, state, judge, confirm, flush };
}
