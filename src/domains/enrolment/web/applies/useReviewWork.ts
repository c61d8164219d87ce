import { useCallback, useMemo, useRef } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import type { MaterialVerdict } from '#kernel/contract/evidence.ts';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { useSavedWork } from '#kernel/web/audit/savedWork.ts';
import { send } from '#kernel/web/http/client.ts';
import { queryClient } from '#kernel/web/http/queryClient.ts';
import type { ChronicGrade } from '../../contract/applyDictionaries.ts';
import { querySignContractDetail, type ApplyCheck, type ApplyDetail } from '../../contract/calls/applies.ts';
import { saveSignContractWork } from '../../contract/calls/appliesWork.ts';

type Saved = InputOf<typeof saveSignContractWork>;
type CheckChange = Partial<Pick<ApplyCheck, 'humanVerdict' | 'humanNote'>>;
type DuplicateVerdict = ApplyDetail['duplicates'][number]['verdict'];
export interface Grade {
  chronicGrade: ChronicGrade | null;
  note: string;
}
interface Found {
  grade?: Grade;
  checks: Readonly<Record<string, CheckChange>>;
  materials: Readonly<Record<string, MaterialVerdict>>;
  duplicates: Readonly<Record<string, DuplicateVerdict>>;
}
const NOTHING_FOUND: Found = { checks: {}, materials: {}, duplicates: {} };

/** What a reviewer finds, stored a moment after he answered it; a case that was lost tells so. */
export function useReviewWork(data: ApplyDetail | undefined, onLost: () => void) {
  const [found, setFound] = useCaseState(data?.id, NOTHING_FOUND);
  const waiting = useRef(NOTHING_FOUND);
  const checks = useMemo(() => (data?.checks ?? []).map((check) => ({ ...check, ...found.checks[check.checkCode] })), [data, found]);
  const materials = useMemo(
    () => (data?.materials ?? []).map((one) => ({ ...one, verdict: found.materials[one.id] ?? one.verdict })),
    [data, found],
  );
  const duplicates = useMemo(
    () => (data?.duplicates ?? []).map((one) => ({ ...one, verdict: found.duplicates[one.id] ?? one.verdict })),
    [data, found],
  );
  const grade: Grade = found.grade ?? { chronicGrade: data?.chronicGrade ?? null, note: data?.gradeNote ?? '' };
  // Another grade than the proposed one is stored with its reason.
  const lacksNote = (one: Grade) => one.chronicGrade !== (data?.proposedGrade ?? null) && one.note.trim() === '';
  const take = (): Saved | null => {
    const leaseToken = data?.lease?.token;
    if (!data || !leaseToken || waiting.current === NOTHING_FOUND) return null;
    const codes = waiting.current;
    // An override is stored with its reason.
    const answered = checks.filter(
      ({ checkCode, humanVerdict, humanNote }) => checkCode in codes.checks && (humanVerdict !== 'OVERRIDE' || humanNote.trim() !== ''),
    );
    const papers = Object.entries(codes.materials).map(([id, verdict]) => ({ id, verdict }));
    const pairs = Object.entries(codes.duplicates).map(([id, verdict]) => ({ id, verdict, note: '' }));
    const graded = codes.grade && !lacksNote(codes.grade) ? { grade: codes.grade } : {};
    waiting.current = NOTHING_FOUND;
    if (answered.length + papers.length + pairs.length === 0 && !('grade' in graded)) return null;
    return {
      applyId: data.id,
      leaseToken,
      queue: data.state === 'RECHECK' ? 'RECHECK' : 'POOL',
      checks: answered.map(({ checkCode, humanVerdict, humanNote }) => ({ checkCode, humanVerdict, humanNote })),
      materials: papers,
      duplicates: pairs,
      ...graded,
    };
  };
  const save = async (input: Saved): Promise<void> => {
    const answer = await send(saveSignContractWork, input, { quiet: true });
    queryClient.setQueryData<ApplyDetail>(
      [querySignContractDetail.name, { applyId: input.applyId }],
      (old) =>
        old && {
          ...old,
          checks: answer.checks,
          ...(input.grade && { chronicGrade: input.grade.chronicGrade, gradeNote: input.grade.note ?? '' }),
        },
    );
  };
  const { state, later, flush } = useSavedWork({ caseId: data?.id, take, save, onLost });
  const note = useCallback(
    (change: (known: Found) => Found) => {
      waiting.current = change(waiting.current);
      setFound(change);
      later();
    },
    [later, setFound],
  );
  return {
    checks,
    materials,
    duplicates,
    grade,
    /** A grade that was chosen but cannot be stored yet. */
    gradeLacksNote: found.grade !== undefined && lacksNote(found.grade),
    state,
    flush,
    judge: (code: string, change: CheckChange) =>
      note((known) => ({ ...known, checks: { ...known.checks, [code]: { ...known.checks[code], ...change } } })),
    setGrade: (change: Partial<Grade>) => note((known) => ({ ...known, grade: { ...(known.grade ?? grade), ...change } })),
    judgeMaterial: (id: string, verdict: MaterialVerdict) =>
      note((known) => ({ ...known, materials: { ...known.materials, [id]: verdict } })),
    judgeDuplicate: (id: string, verdict: DuplicateVerdict) =>
      note((known) => ({ ...known, duplicates: { ...known.duplicates, [id]: verdict } })),
  };
}
