import { Button } from 'antd';
import { useMay } from '#kernel/web/session/store.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { faultsOfRows } from '../../contract/conditionRows.ts';
import { expTypeLabels, type ExpType } from '../../contract/dictionaries.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { type AnyScene } from '../data.ts';
import { useVariables } from './useVariables.ts';
import { ConditionTable } from './ConditionTable.tsx';
import { rowInOf } from './draft.ts';
import { sentenceOfRows } from './sentence.ts';
import { TrialBox } from './TrialBox.tsx';
import { useConditionSet, useSaveConditions } from './useConditionSets.ts';

const emptyTexts: Readonly<Record<ExpType, string>> = {
  1: '尚未设置启动条件：没有生效的条件时，不会有患者自动进入该场景',
  2: '尚未设置停止条件：患者进入后按日程走完，或由人工终止',
};

interface ConditionPanelProps {
  scene: AnyScene;
  expType: ExpType;
  /** Kinds of conditions that 保存 and 放弃 act on. */
  types: readonly ExpType[];
  /** A kind that is not shown has faulty rows. */
  onFaulty?(expType: ExpType): void;
}

/** Editor of a scene's launch or stop conditions, with its sentence and the trial on one patient. */
export function ConditionPanel({ scene, expType, types, onFaulty }: ConditionPanelProps) {
  const may = useMay();
  const variables = useVariables();
  const { rows, known, error, refetch, change } = useConditionSet(scene, expType);
  const { pending, save, discard, busy, flying, faulty } = useSaveConditions(scene, types, onFaulty);
  const readOnly = !may(corpusPermissions['scene.edit']);
  const faults = faulty.has(expType) ? faultsOfRows(rows.map(rowInOf), (id) => variables.byId.get(id)) : [];
  const sentence = sentenceOfRows(rows, variables.byId);
  if (!known || !variables.known) {
    const failed = error ?? variables.error;
    if (failed) return <TableFailure error={failed} onRetry={() => void Promise.all([refetch(), variables.refetch()])} />;
    return <div className="kq-loading" role="progressbar" aria-label="条件加载中" />;
  }
  return (
    <div className="kq-condition-panel">
      <div className="kq-condition-main">
        {pending.length > 0 && (
          <div className="kq-unsaved-bar" role="status">
            <span>
              有未保存的条件
              {types.length > 1 && <span className="kq-muted">（{pending.map((one) => expTypeLabels[one]).join('、')}）</span>}
            </span>
            <Button type="primary" size="small" loading={flying} disabled={busy} onClick={() => void save()}>
              保存
            </Button>
            <Button size="small" disabled={flying} onClick={discard}>
              放弃
            </Button>
          </div>
        )}
        <ConditionTable
          rows={rows}
          variables={variables.rows}
          faults={faults}
          readOnly={readOnly}
          empty={emptyTexts[expType]}
          onChange={change}
        />
        {sentence !== '' && (
          <p className="kq-condition-sentence" aria-label="条件说明">
            {expType === 1 ? '满足时进入：' : '满足时终止：'}
            {sentence}
          </p>
        )}
      </div>
      {may(corpusPermissions['run.view']) && <TrialBox scene={scene} expType={expType} rows={rows} variables={variables.byId} />}
    </div>
  );
}
