import { Button, Tag } from 'antd';
import { lazy } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { claimTypes } from '../../contract/businessLines.ts';
import { removeClaimRule } from '../../contract/claimRules/calls.ts';
import { ruleOutcomes, ruleTypes } from '../../contract/claimRules/dictionaries.ts';
import { queryClaimRules, type ClaimRuleSeen } from '../../contract/claimRules/read.ts';
import { queryTestCaseList } from '../../contract/tests/calls.ts';
import type { ClaimRulesSeen } from './seen.ts';

const RuleForm = lazy(async () => ({ default: (await import('./RuleForm.tsx')).RuleForm }));

/** Lines of the claim that a rule came into play on; on none of them it is about the claim as a whole. */
const firedIn = (fired: NonNullable<ClaimRulesSeen['claim']>['fired']) => (row: ClaimRuleSeen) => {
  const found = fired.find(({ ruleCode }) => ruleCode === row.ruleCode);
  if (!found) return null;
  return <Tag color="warning">{found.lineNos.length === 0 ? '命中' : `命中第${found.lineNos.join('、')}行`}</Tag>;
};

/** Rules by which claims are cut, held up or asked for more, each as a sentence. */
export function RuleList({ seen }: { seen: ClaimRulesSeen }) {
  const layers = useLayers();
  const remove = useCommand(removeClaimRule, { success: '删除成功!', refreshes: [queryClaimRules, queryTestCaseList] });
  const reasonOf = (code: string | null) => (code === null ? '' : `${code} ${seen.reasons.find((one) => one.code === code)?.label ?? ''}`);
  const namesOf = (codes: readonly string[]) =>
    codes.length === 0
      ? '全部'
      : codes.map((code) => seen.benefits.find(({ benefitCode }) => benefitCode === code)?.benefitName ?? code).join('、');
  return (
    <>
      {seen.editable && (
        <p>
          <Button type="primary" onClick={() => layers.open((close) => <RuleForm seen={seen} rule={null} onClose={close} />)}>
            新增规则
          </Button>{' '}
          <span className="kq-muted">修改规则后，测试用例须重新运行</span>
        </p>
      )}
      <DataTable<ClaimRuleSeen>
        rows={seen.rules}
        height="auto"
        empty={seen.editable ? '还没有理赔规则，点击“新增规则”' : '该版本没有理赔规则'}
        columns={[
          { key: 'priority', title: '优先级', kind: 'number', width: 70 },
          { key: 'ruleCode', title: '规则编码', width: 110 },
          { key: 'ruleName', title: '规则名称', width: 160 },
          { key: 'ruleType', title: '类型', kind: 'dict', dictionary: ruleTypes, plain: true, width: 70 },
          { key: 'sentence', title: '规则', width: 420 },
          { key: 'benefitCodes', title: '适用责任', width: 130, value: (row) => namesOf(row.benefitCodes) },
          {
            key: 'claimTypes',
            title: '理赔类型',
            width: 110,
            value: (row) => (row.claimTypes.length === 0 ? '全部' : row.claimTypes.map((code) => claimTypes.label(code)).join('、')),
          },
          { key: 'outcome', title: '处理', kind: 'dict', dictionary: ruleOutcomes, width: 90 },
          { key: 'reasonCode', title: '核减原因', width: 130, value: (row) => reasonOf(row.reasonCode) },
          { key: 'enabled', title: '启用', kind: 'flag' },
          ...(seen.claim ? [{ key: 'fired', title: '本案', kind: 'custom' as const, width: 130, render: firedIn(seen.claim.fired) }] : []),
        ]}
        {...(seen.editable && {
          actions: [
            { label: '编辑', act: (row) => layers.open((close) => <RuleForm seen={seen} rule={row} onClose={close} />) },
            {
              label: '删除',
              danger: true,
              act: async (row) => {
                if (await confirmDelete(`理赔规则“${row.ruleName}”（${row.ruleCode}）`))
                  await remove.run({ claimRuleId: row.id, version: row.version });
              },
            },
          ],
        })}
      />
      {layers.shown}
    </>
  );
}
