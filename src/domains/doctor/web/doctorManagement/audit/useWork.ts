import { useCallback, useMemo, useRef } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { useSavedWork } from '#kernel/web/audit/savedWork.ts';
import { send } from '#kernel/web/http/client.ts';
import { queryClient } from '#kernel/web/http/queryClient.ts';
import { queryQualApplyDetail, saveQualApplyWork, type QualCheckRow, type QualDetail } from '../../../contract/calls/qual.ts';

type Saved = InputOf<typeof saveQualApplyWork>;
export type CertWork = Omit<NonNullable<Saved['certs']>[number], 'id'>;

type Judgement = Partial<Pick<QualCheckRow, 'humanVerdict' | 'note'>>;
const NO_JUDGEMENTS: Readonly<Record<string, Judgement>> = {};
const NO_READINGS: Readonly<Record<string, CertWork>> = {};
const NO_CHECKS: readonly QualCheckRow[] = [];

/** What the auditor finds, kept while he works: verdicts, readings, proofs. A case that was lost tells so. */
export function useWork(data: QualDetail | undefined, onLost: () => void) {
  // What was judged here and is not stored yet, over what the server has.
  const [judged, setJudged] = useCaseState(data?.id, NO_JUDGEMENTS);
  const [certs, setCerts] = useCaseState(data?.id, NO_READINGS);
  const checks = useMemo(() => data?.checks.map((check) => ({ ...check, ...judged[check.checkCode] })) ?? NO_CHECKS, [data, judged]);
  const waiting = useRef({ checks: new Set<string>(), certs: new Set<string>() });
  const shown = useRef(data?.id);
  shown.current = data?.id;

  const take = (): Saved | null => {
    const { current: codes } = waiting;
    const leaseToken = data?.lease?.token;
    if (!data || !leaseToken || (codes.checks.size === 0 && codes.certs.size === 0)) return null;
    const input = {
      applyId: data.id,
      leaseToken,
      checks: checks
        .filter(({ checkCode }) => codes.checks.has(checkCode))
        .map(({ checkCode, humanVerdict, note }) => ({ checkCode, humanVerdict, note })),
      certs: [...codes.certs].map((id) => ({ id, ...certs[id] })),
    };
    waiting.current = { checks: new Set(), certs: new Set() };
    return input;
  };
  const save = async (input: Saved): Promise<void> => {
    try {
      const answer = await send(saveQualApplyWork, input, { quiet: true });
      queryClient.setQueryData<QualDetail>(
        [queryQualApplyDetail.name, { applyId: input.applyId }],
        (old) => old && { ...old, checks: answer.checks },
      );
    } finally {
      // What was judged again meanwhile stays.
      if (shown.current === input.applyId)
        setJudged((known) => Object.fromEntries(Object.entries(known).filter(([code]) => waiting.current.checks.has(code))));
    }
  };
  const { state, later, flush } = useSavedWork({ caseId: data?.id, take, save, onLost });

  const judge = useCallback(
    (codes: readonly string[], change: Judgement) => {
      for (const code of codes) waiting.current.checks.add(code);
      setJudged((known) => ({ ...known, ...Object.fromEntries(codes.map((code) => [code, { ...known[code], ...change }])) }));
      later();
    },
    [later, setJudged],
  );
  const confirm = useCallback(
    (id: string, change: CertWork) => {
      waiting.current.certs.add(id);
      setCerts((known) => ({ ...known, [id]: { ...known[id], ...change, extracted: { ...known[id]?.extracted, ...change.extracted } } }));
      later();
    },
    [later, setCerts],
  );
  return { checks, certs, state, judge, confirm, flush };
}
