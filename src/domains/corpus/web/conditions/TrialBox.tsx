import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { operatorLabel, valueLabel } from '#kernel/contract/rules/sentence.ts';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import type { VariableRow } from '../../contract/conditionCalls.ts';
import { faultsOfRows, ruleVariableOf } from '../../contract/conditionRows.ts';
import { roleLabels, type ExpType } from '../../contract/dictionaries.ts';
import { evaluateForPatient, queryTrialPatientList, type TrialAnswer } from '../../contract/scenePackageCalls.ts';
import type { AnyScene } from '../data.ts';
import { rowInOf, type DraftRow } from './draft.ts';

const sexLabels = { 1: '男', 2: '女' } as const;
const signs = { HELD: '✓', NOT_HELD: '✗', NO_DATA: '无数据' } as const;
const signClass = { HELD: 'kq-held', NOT_HELD: 'kq-not-held', NO_DATA: 'kq-no-data' } as const;
const results = {
  ENTER: { text: '✓ 满足，将进入该场景', look: 'kq-held' },
  STOP: { text: '✓ 满足，将终止随访', look: 'kq-held' },
  NOT: { text: '✗ 不满足', look: 'kq-not-held' },
} as const;

interface TrialBoxProps {
  scene: AnyScene;
  expType: ExpType;
  rows: readonly DraftRow[];
  variables: ReadonlyMap<string, VariableRow>;
}

/** 单患者试算: judges the rows as they stand, saved or not, on one patient's facts. */
export function TrialBox({ scene, expType, rows, variables }: TrialBoxProps) {
  const { scenePackageId } = scene;
  const [keyword, setKeyword] = useState('');
  const [patientId, setPatientId] = useState<string>();
  const search = useDebouncedCallback((text: string) => setKeyword(text));
  const all = useData(queryTrialPatientList, { scenePackageId }, { quiet: true });
  const found = useData(
    queryTrialPatientList,
    { scenePackageId, keyword: keyword.trim() },
    { quiet: true, enabled: keyword.trim() !== '' },
  );
  useEffect(() => setPatientId(undefined), [scenePackageId]);
  if (all.error && !all.data)
    return (
      <aside className="kq-trial" aria-label="单患者试算">
        <h3>单患者试算</h3>
        <Waiting for={all} />
      </aside>
    );
  if (!all.data?.length) return null;
  const patients = keyword.trim() === '' ? all.data : (found.data ?? []);
  const label = (patient: (typeof patients)[number]) =>
    `${patient.patientName} ${sexLabels[patient.sex]} ${patient.age === null ? '年龄不详' : `${patient.age}岁`}（${patient.patientId}）`;
  return (
    <aside className="kq-trial" aria-label="单患者试算">
      <h3>单患者试算</h3>
      <Select
        className="kq-wide"
        aria-label="试算患者"
        placeholder="选择患者，可按姓名搜索"
        allowClear
        showSearch={{ filterOption: false, onSearch: search }}
        loading={found.fetching}
        notFoundContent={<NoChoices of={keyword.trim() === '' ? all : found} none="没有找到患者" />}
        value={patientId ?? null}
        options={patients.map((patient) => ({ value: patient.patientId, label: label(patient) }))}
        onChange={(value: string | undefined) => {
          setPatientId(value);
          setKeyword('');
        }}
      />
      <TrialResult patientId={patientId} scenePackageId={scenePackageId} expType={expType} rows={rows} variables={variables} />
    </aside>
  );
}

interface TrialResultProps {
  patientId: string | undefined;
  scenePackageId: string;
  expType: ExpType;
  rows: readonly DraftRow[];
  variables: ReadonlyMap<string, VariableRow>;
}

function TrialResult({ patientId, scenePackageId, expType, rows, variables }: TrialResultProps) {
  const dataDetail = rows.map(rowInOf);
  const complete = faultsOfRows(dataDetail, (id) => variables.get(id)).length === 0;
  const asked = patientId !== undefined && complete && rows.length > 0;
  const { data, error, fetching } = useData(
    evaluateForPatient,
    { scenePackageId, patientId: patientId ?? '0', expType, dataDetail },
    { enabled: asked, quiet: true },
  );
  if (rows.length === 0) return <p className="kq-muted">添加条件后即可试算。</p>;
  if (patientId === undefined) return <p className="kq-muted">选择患者后，按当前条件（含未保存的修改）逐条判断，不写入任何数据。</p>;
  if (!complete) return <p className="kq-muted">请先补全并改正条件，再查看试算结果。</p>;
  if (error) return <p className="kq-fault">试算未完成：{failureText(error)}</p>;
  if (!data || fetching) return <div className="kq-loading" role="progressbar" aria-label="试算中" />;
  return <TrialRows answer={data} rows={rows} variables={variables} />;
}

function TrialRows({ answer, rows, variables }: Pick<TrialResultProps, 'rows' | 'variables'> & { answer: TrialAnswer }) {
  const wanted = (index: number, value: string) => {
    const variable = variables.get(rows[index]?.variableId ?? '');
    return variable ? valueLabel(ruleVariableOf(variable), value) : value;
  };
  const result = results[answer.result];
  return (
    <>
      <p className={answer.empty ? 'kq-trial-result kq-muted' : `kq-trial-result ${result.look}`} role="status">
        {answer.empty ? '没有生效的条件' : result.text}
      </p>
      {answer.mainScene && !answer.mainScene.held && (
        <p className="kq-fault">主场景“{answer.mainScene.sceneName}”的启动条件不满足，子场景不会进入</p>
      )}
      <ol className="kq-trial-rows">
        {answer.rows.map((row) => (
          <li key={row.index} className={row.checked === 1 ? '' : 'kq-without-effect'}>
            <b className={signClass[row.verdict]}>{signs[row.verdict]}</b>
            <div>
              <div>
                {roleLabels[row.role]}.{row.variableName} {operatorLabel[row.operatorValue]} {wanted(row.index, row.conditionValue)}
                {row.checked === 0 && <span className="kq-muted">（不生效，不计入）</span>}
              </div>
              {row.verdict !== 'NO_DATA' && (
                <div className="kq-muted">
                  实际 {row.value}
                  {row.at && ` · ${row.at.slice(0, 10)}`}
                  {row.source && ' · '}
                  {row.sourceRoute ? <PageLink to={row.sourceRoute}>{row.source}</PageLink> : row.source}
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
