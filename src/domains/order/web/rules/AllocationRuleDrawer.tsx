import { Button, Drawer, Skeleton, Tabs, Tag } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import {
  auditAllocationRule,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  type AllocationRuleDetail,
} from '../../contract/calls/allocationRules.ts';
import { rulePhases, ruleMachine } from '../../contract/ruleStates.ts';
import '../orders/orders.css';

const rowShape = queryAllocationRuleDetail.output.shape.rule;
const detailShape = queryAllocationRuleDetail.output;

const Content = ({ detail }: { detail: AllocationRuleDetail }) => (
  <Facts
    facts={[
      ...factsIn(rowShape, detail.rule, ['ruleCode', 'ruleVersion', 'ruleName', 'priority', 'phase', 'effectiveFrom', 'effectiveTo']),
      ...factsIn(rowShape, detail.rule, ['conditionText', 'strategy']),
      {
        label: '候选供应商',
        value:
          detail.candidates.length === 0
            ? '全部供应商'
            : detail.candidates
                .map(({ supplierName, priority, weightPct }) =>
                  detail.rule.strategy === 'WEIGHTED' ? `${supplierName} ${weightPct}%` : `${priority}. ${supplierName}`,
                )
                .join('；'),
      },
      ...factsIn(rowShape, detail.rule, ['allowSplit', 'maxSplit', 'updatedBy', 'updatedAt']),
      ...factsIn(detailShape, detail, ['approverName']),
    ]}
  />
);

const Cases = ({ detail: { testCases } }: { detail: AllocationRuleDetail }) =>
  testCases.length === 0 ? (
    <p className="kq-muted">还没有测试用例</p>
  ) : (
    <ul className="ord-plain">
      {testCases.map(({ name, expectedText, factsText, passed }) => (
        <li key={name}>
          <Tag color={passed ? 'success' : 'error'}>{passed ? '通过' : '未通过'}</Tag>
          {name}（{expectedText}）：{factsText === '' ? '没有变量' : factsText}
        </li>
      ))}
    </ul>
  );

const Versions = ({ detail: { versions } }: { detail: AllocationRuleDetail }) => (
  <ul className="ord-plain">
    {versions.map(({ id, ruleVersion, phase, effectiveFrom, effectiveTo }) => (
      <li key={id}>
        V{ruleVersion} <Dict of={rulePhases} code={phase} /> {effectiveFrom} 至 {effectiveTo ?? '长期'}
      </li>
    ))}
  </ul>
);

interface Props extends PageWindowProps {
  audits?: boolean;
}

/** One version of a rule: what it says, how its cases end, its other versions; with its verdict where somebody approves. */
export function AllocationRuleDrawer({ record, audits = false, onChanged, onClose }: Props) {
  const { data, error, refetch } = useData(queryAllocationRuleDetail, { id: record }, { quiet: true });
  const audit = useCommand(auditAllocationRule, {
    success: '审核完成!',
    refreshes: [queryAllocationRuleList, queryAllocationRuleDetail],
  });
  const decide = async (decision: 'approve' | 'reject') => {
    if (!data) return;
    const facts = factsIn(rowShape, data.rule, ['ruleCode', 'ruleVersion', 'ruleName', 'conditionText', 'effectiveFrom']);
    const opinion = await askTransition(ruleMachine, decision, '', facts);
    if (opinion === null) return;
    if (!(await audit.run({ id: data.rule.id, version: data.rule.version, decision, opinion }))) return;
    onChanged();
    onClose();
  };
  return (
    <Drawer
      open
      title={data ? `分配规则 ${data.rule.ruleCode} V${data.rule.ruleVersion} ${data.rule.ruleName}` : '分配规则'}
      size={860}
      onClose={onClose}
      footer={
        audits &&
        data && (
          <div className="kq-detail-actions">
            {(['approve', 'reject'] as const)
              .filter((decision) => data.rule.allowedActions.includes(decision))
              .map((decision) => (
                <Button
                  key={decision}
                  type={decision === 'approve' ? 'primary' : 'default'}
                  danger={decision === 'reject'}
                  onClick={() => void decide(decision)}
                >
                  {ruleMachine.transitions[decision].label}
                </Button>
              ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <Tabs
          items={[
            { key: 'content', label: '规则内容', children: <Content detail={data} /> },
            { key: 'cases', label: `测试用例（${data.testCases.length}）`, children: <Cases detail={data} /> },
            { key: 'versions', label: '版本', children: <Versions detail={data} /> },
            { key: 'trail', label: '审核记录', children: <AuditTimeline rows={data.trail} machine={ruleMachine} /> },
          ]}
        />
      )}
    </Drawer>
  );
}

/** 审批 of the row that the page names. */
export const AllocationRuleAudit = (props: PageWindowProps) => <AllocationRuleDrawer {...props} audits />;
