import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { querySettlementRuleList, retireSettlementRule, type RuleVersionRow } from '../../contract/calls/rules.ts';

/** 停用: from a day on a rule does not hold any longer. */
export function RetireForm({ row, onClose }: { row: RuleVersionRow; onClose(): void }) {
  return (
    <FormDialog<typeof retireSettlementRule, { effectiveTo: string; opinion: string }>
      open
      title={`停用规则 ${row.ruleCode}`}
      call={retireSettlementRule}
      toInput={(values) => ({ id: row.id, version: row.version, ...values })}
      refreshes={[querySettlementRuleList]}
      success="操作成功!"
      onClose={onClose}
    >
      <Facts facts={factsIn(querySettlementRuleList.output, row, ['ruleName', 'scopeText', 'effectiveFrom'])} />
      <Field of={retireSettlementRule} name="effectiveTo" />
      <Field of={retireSettlementRule} name="opinion" />
    </FormDialog>
  );
}
