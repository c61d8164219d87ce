import { useMemo, useState } from 'react';
import { toast } from '#kernel/web/feedback/toast.ts';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import {
  addOrModifyConditionIdDataList,
  queryConditionIdDataList,
  type ConditionRow,
  type ConditionSet,
} from '../../contract/conditionCalls.ts';
import { faultsOfRows } from '../../contract/conditionRows.ts';
import { expTypeLabels, type ExpType } from '../../contract/dictionaries.ts';
import { useCorpusCommand } from '../useCorpusCommand.ts';
import { type AnyScene } from '../data.ts';
import { useVariables } from './useVariables.ts';
import { draftRowOf, rowInOf, sameRows, tidyRows, type Draft, type DraftRow } from './draft.ts';
import { keepDraft, useDrafts } from './draftStore.ts';
import { sentenceOfRows } from './sentence.ts';

/** The stored set of one kind, with the rows as they are edited: the unsaved ones where there are some. */
export function useConditionSet(scene: AnyScene, expType: ExpType) {
  const { scenePackageId } = scene;
  const { data: stored, error, refetch } = useData(queryConditionIdDataList, { scenePackageId, expType }, { quiet: true });
  const draft = useDrafts(scenePackageId)[expType];
  const storedRows = useMemo(() => stored?.rows.map(draftRowOf) ?? [], [stored]);
  const change = (rows: readonly DraftRow[]) => {
    if (!stored) return;
    const tidied = tidyRows(rows);
    keepDraft(scenePackageId, expType, sameRows(tidied, storedRows) ? null : { version: draft?.version ?? stored.version, rows: tidied });
  };
  return { stored, rows: draft?.rows ?? storedRows, draft, known: stored !== undefined, error, refetch, change };
}

/** Saves and discards the unsaved rows of a scene; `types` are the kinds that the operator sees here. */
export function useSaveConditions(scene: AnyScene, types: readonly ExpType[], onFaulty?: (expType: ExpType) => void) {
  const sets = { 1: useConditionSet(scene, 1), 2: useConditionSet(scene, 2) };
  const { byId } = useVariables();
  const [faulty, setFaulty] = useState<ReadonlySet<ExpType>>(new Set());
  const command = useCorpusCommand({ call: addOrModifyConditionIdDataList });
  const pending = types.filter((expType) => sets[expType].draft !== undefined);

  const saveOne = async (expType: ExpType, draft: Draft, stored: ConditionSet): Promise<boolean> => {
    const { scenePackageId, diseaseId } = scene;
    let reloaded = false;
    const saved = await command.run(
      { diseaseId, scenePackageId, expType, id: stored.id, dataDetail: draft.rows.map((row) => ({ ...rowInOf(row), scenePackageId })) },
      {
        version: draft.version,
        mine: { rows: sentenceOfRows(draft.rows, byId) },
        labels: { rows: expTypeLabels[expType] },
        display: (_, rows) => (Array.isArray(rows) ? sentenceOfRows((rows as ConditionRow[]).map(draftRowOf), byId) : rows),
        onReload: () => (reloaded = true),
        onKeep: (current) => keepDraft(scenePackageId, expType, { ...draft, version: Number(current['version']) }),
      },
    );
    if (saved || reloaded) keepDraft(scenePackageId, expType, null);
    await refresh(queryConditionIdDataList);
    return saved;
  };

  const save = async () => {
    const faults = pending.filter((expType) => faultsOfRows(sets[expType].rows.map(rowInOf), (id) => byId.get(id)).length > 0);
    setFaulty(new Set(faults));
    const [first] = faults;
    if (first !== undefined) {
      toast(faultsOfRows(sets[first].rows.map(rowInOf), (id) => byId.get(id))[0]!.text, 'warning');
      onFaulty?.(first);
      return;
    }
    let all = true;
    for (const expType of pending) {
      const { draft, stored } = sets[expType];
      if (draft && stored) all = (await saveOne(expType, draft, stored)) && all;
    }
    if (all && pending.length > 0) toast('修改成功!');
  };

  const discard = () => {
    for (const expType of pending) keepDraft(scene.scenePackageId, expType, null);
    setFaulty(new Set());
  };
  return { pending, save, discard, busy: command.busy, flying: command.flying, faulty };
}
