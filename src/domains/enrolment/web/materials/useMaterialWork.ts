import { useRef } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { useCaseState } from '#kernel/web/audit/caseState.ts';
import { useSavedWork } from '#kernel/web/audit/savedWork.ts';
import { send } from '#kernel/web/http/client.ts';
import { refresh } from '#kernel/web/http/queries.ts';
import { queryOtherMaterialDetail, saveOtherMaterialWork, type OtherMaterialDetail } from '../../contract/calls/otherMaterials.ts';

type Saved = InputOf<typeof saveOtherMaterialWork>;
type Paper = NonNullable<Saved['materials']>[number];
type Duplicate = NonNullable<Saved['duplicates']>[number];
type Facts = NonNullable<Saved['facts']>;

interface Waiting {
  papers: Readonly<Record<string, Paper>>;
  duplicates: Readonly<Record<string, Duplicate>>;
  facts: Facts | null;
}
const NOTHING: Waiting = { papers: {}, duplicates: {}, facts: null };

/** What the reviewer finds, stored while he works; a case that was lost tells so. */
export function useMaterialWork(data: OtherMaterialDetail | undefined, onLost: () => void) {
  const [work, setWork] = useCaseState<Waiting>(data?.id, NOTHING);
  const waiting = useRef<Waiting>(NOTHING);
  const take = (): Saved | null => {
    const leaseToken = data?.lease?.token;
    const { papers, duplicates, facts } = waiting.current;
    const materials = Object.values(papers);
    const judged = Object.values(duplicates);
    if (!data || !leaseToken || (materials.length === 0 && judged.length === 0 && facts === null)) return null;
    waiting.current = NOTHING;
    return { materialId: data.id, leaseToken, materials, duplicates: judged, ...(facts && { facts }) };
  };
  const save = async (input: Saved): Promise<void> => {
    await send(saveOtherMaterialWork, input, { quiet: true });
    await refresh(queryOtherMaterialDetail);
  };
  const { state, later, flush } = useSavedWork({ caseId: data?.id, take, save, onLost });
  const note = (change: (known: Waiting) => Waiting) => {
    waiting.current = change(waiting.current);
    setWork((known) => change(known));
    later();
  };
  return {
    work,
    state,
    flush,
    judgePaper: (paper: Paper) =>
      note((known) => ({ ...known, papers: { ...known.papers, [paper.id]: { ...known.papers[paper.id], ...paper } } })),
    judgeDuplicate: (duplicate: Duplicate) =>
      note((known) => ({ ...known, duplicates: { ...known.duplicates, [duplicate.id]: duplicate } })),
    writeFacts: (facts: Facts) => note((known) => ({ ...known, facts: { ...known.facts, ...facts } })),
  };
}
