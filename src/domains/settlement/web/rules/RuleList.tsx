import { Button } from 'antd';
import { lazy, useMemo } from 'react';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ResourceList, type Resource } from '#kernel/web/list/ResourceList.tsx';
import {
  auditSettlementRule,
  exportSettlementRuleList,
  querySettlementRuleList,
  submitSettlementRule,
  type RuleVersionRow,
} from '../../contract/calls/rules.ts';
import type { RuleType } from '../../contract/dictionaries.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { ruleVersionMachine } from '../../contract/states.ts';

const RuleForm = lazy(async () => ({ default: (await import('./RuleForm.tsx')).RuleForm }));
const RetireForm = lazy(async () => ({ default: (await import('./RetireForm.tsx')).RetireForm }));
const RuleTrail = lazy(async () => ({ default: (await import('./RuleTrail.tsx')).RuleTrail }));
const refreshes = [querySettlementRuleList];

/** Rules of one kind, each version a row. */
export function RuleList({ of, ruleType }: { of: Resource<typeof querySettlementRuleList>; ruleType: RuleType }) {
  const layers = useLayers();
  const fixed = useMemo(() => ({ ruleType }), [ruleType]);
  const submit = useCommand(submitSettlementRule, { success: '提交成功!', refreshes });
  const audit = useCommand(auditSettlementRule, { success: '审核完成!', refreshes });
  const decide = async (row: RuleVersionRow, decision: 'approve' | 'reject') => {
    const facts = factsIn(querySettlementRuleList.output, row, [
      'ruleCode',
      'ruleName',
      'scopeText',
      'effectiveFrom',
      'versionNo',
      'maker',
    ]);
    const opinion = await askTransition(ruleVersionMachine, decision, '', facts);
    if (opinion !== null) await audit.run({ id: row.id, version: row.version, decision, opinion });
  };
  const canDo = (action: string) => (row: RuleVersionRow) => row.allowedActions.includes(action);
  const edit = (row: RuleVersionRow) => layers.open((close) => <RuleForm ruleType={ruleType} row={row} onClose={close} />);
  const actions: readonly RowAction<RuleVersionRow>[] = [
    {
      label: '编辑',
      permission: may['rule.edit'],
      when: ({ status }) => status === 'DRAFT' || status === 'REJECTED',
      act: edit,
    },
    { label: '新版本', permission: may['rule.edit'], when: ({ status }) => status === 'PUBLISHED', act: edit },
    {
      label: '提交审核',
      permission: may['rule.edit'],
      when: canDo('submit'),
      act: (row) => submit.run({ id: row.id, version: row.version }),
    },
    { label: '审核发布', permission: may['rule.audit'], when: canDo('approve'), act: (row) => decide(row, 'approve') },
    { label: '驳回', permission: may['rule.audit'], danger: true, when: canDo('reject'), act: (row) => decide(row, 'reject') },
    {
      label: '停用',
      permission: may['rule.audit'],
      danger: true,
      when: canDo('retire'),
      act: (row) => layers.open((close) => <RetireForm row={row} onClose={close} />),
    },
    { label: '审核记录', act: (row) => layers.open((close) => <RuleTrail row={row} onClose={close} />) },
  ];
  return (
    <>
      <ResourceList
        of={of}
        fixed={fixed}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['rule.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <RuleForm ruleType={ruleType} row={null} onClose={close} />)}>
                新增规则
              </Button>
            </Can>
            <ExportButton call={exportSettlementRuleList} view={view} permission={may['rule.view']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
