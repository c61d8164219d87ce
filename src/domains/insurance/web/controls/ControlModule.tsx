import { Button } from 'antd';
import { lazy, useMemo } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, showRate } from '#kernel/web/kit/values.tsx';
import type { BatchAction } from '#kernel/web/list/BatchBar.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import { queryControlModuleList, type ControlModuleRow } from '../../contract/controls/modules.ts';
import {
  addControlRuleVersion,
  auditControlRule,
  exportControlRuleList,
  queryControlRuleList,
  removeControlRule,
  type ControlRuleRow,
} from '../../contract/controls/rules.ts';
import { controlPermissions as may } from '../../contract/permissions.ts';
import { ModuleList } from './ModuleList.tsx';
import './controls.css';

const Hits = lazy(async () => ({ default: (await import('./Hits.tsx')).Hits }));
const CopyRule = lazy(async () => ({ default: (await import('./CopyRule.tsx')).CopyRule }));

const rules = resource(queryControlRuleList, {
  routeKey: 'controlModule',
  empty: '没有符合条件的规则，请调整筛选条件或点击“新增规则”',
  filters: ['keyword', 'mode', 'phase'],
  columns: [
    { key: 'ruleCode', required: true },
    {
      key: 'ruleName',
      required: true,
      width: 190,
      render: ({ ruleName, review }: ControlRuleRow) => (
        <>
          {ruleName} {review && <span className="kq-dict kq-dict-error">建议复核</span>}
        </>
      ),
    },
    { key: 'mode', width: 84, render: ({ mode }: ControlRuleRow) => <Dict of={controlModeWords} code={mode} /> },
    'condition',
    'capText',
    'effective',
    { key: 'versionNo', hidden: true },
    'hits',
    'claimedFen',
    'savedFen',
    'overturnBp',
    'phase',
  ],
});

const address = { moduleId: param.optional() };

function Sums({ row }: { row: ControlModuleRow }) {
  return (
    <div className="control-sums">
      <span>
        近30天命中<b>{row.hits}</b>
      </span>
      <span>
        节省金额<b>¥{yuan(row.savedFen, true)}</b>
      </span>
      <span>
        推翻率<b>{showRate(row.overturnBp)}</b>
      </span>
    </div>
  );
}

/** /controlModule 控费管理: modules at the left, the rules of the chosen one at the right. */
export default function ControlModule() {
  const [{ moduleId }, setParams] = useAddress(address);
  const modules = useData(queryControlModuleList, {}, { quiet: true });
  const layers = useLayers();
  const options = { refreshes: [queryControlRuleList, queryControlModuleList] } as const;
  const audit = useCommand(auditControlRule, { ...options, success: '操作成功!' });
  const remove = useCommand(removeControlRule, { ...options, success: '删除成功!' });
  const addVersion = useCommand(addControlRuleVersion, options);
  const chosen = modules.data?.find(({ id }) => id === moduleId) ?? modules.data?.[0];
  const fixed = useMemo(() => ({ moduleId: chosen?.id }), [chosen?.id]);
  if (!modules.data) return <Waiting for={modules} />;

  const show = (row: ControlRuleRow, versionId: string) => goTo('/controlRules', { moduleId: row.moduleId, ruleId: row.id, versionId });
  const edit = async (row: ControlRuleRow) => {
    if (row.openVersionId !== null) return show(row, row.openVersionId);
    const answer = await addVersion.run({ ruleId: row.id });
    if (answer) show(row, answer.data.versionId);
  };
  const changeState = async (row: ControlRuleRow, action: 'pause' | 'resume') => {
    const label = action === 'pause' ? '停用' : '启用';
    const opinion = await confirmWithOpinion({
      title: label,
      content: `确定要${label}“${row.ruleName}”吗?`,
      facts: factsIn(queryControlRuleList.output, row, ['ruleCode', 'moduleName', 'stage', 'condition', 'hits', 'savedFen']),
      danger: action === 'pause',
    });
    if (opinion !== null) await audit.run({ id: row.versionId, version: row.version, action, opinion });
  };
  const can = (action: string) => (row: ControlRuleRow) => row.allowedActions.includes(action);
  const actions: readonly RowAction<ControlRuleRow>[] = [
    { label: '查看', act: (row) => show(row, row.versionId) },
    { label: '编辑', permission: may['control.edit'], act: edit },
    { label: '命中明细', act: (row) => layers.open((close) => <Hits ruleId={row.id} title={row.ruleName} onClose={close} />) },
    { label: '停用', danger: true, when: can('pause'), act: (row) => changeState(row, 'pause') },
    { label: '启用', when: can('resume'), act: (row) => changeState(row, 'resume') },
    { label: '复制', permission: may['control.edit'], act: (row) => layers.open((close) => <CopyRule row={row} onClose={close} />) },
    {
      label: '删除',
      permission: may['control.edit'],
      danger: true,
      when: ({ everPublished, allowedActions }) => !everPublished && allowedActions.includes('modify'),
      act: async (row) => {
        if (await confirmDelete(`控费规则“${row.ruleName}”（${row.ruleCode}）V${row.versionNo}`))
          await remove.run({ versionId: row.versionId, version: row.version });
      },
    },
  ];
  const batch: readonly BatchAction<ControlRuleRow>[] = [
    {
      label: '停用',
      permission: may['control.pause'],
      danger: true,
      opinion: 'required',
      when: can('pause'),
      nameOf: ({ ruleName }) => ruleName,
      each: (row, opinion) =>
        send(auditControlRule, { id: row.versionId, version: row.version, action: 'pause', opinion }, { quiet: true }),
    },
  ];
  return (
    <div className="control-page">
      <ModuleList rows={modules.data} chosen={chosen?.id} onChoose={(id) => setParams({ moduleId: id })} />
      {chosen && (
        <ResourceList
          of={rules}
          fixed={fixed}
          actions={actions}
          batch={batch}
          above={<Sums row={chosen} />}
          toolbar={(view) => (
            <>
              <Can permission={may['control.edit']}>
                <Button type="primary" onClick={() => goTo('/controlRules', { moduleId: chosen.id })}>
                  新增规则
                </Button>
              </Can>
              <ExportButton call={exportControlRuleList} view={view} permission={may['control.view']} />
            </>
          )}
        />
      )}
      {layers.shown}
    </div>
  );
}
